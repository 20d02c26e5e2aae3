"""An operator without a mouse: every key does what the row or the button shows, and focus comes back to where one was."""

import pytest
from playwright.async_api import expect

from tests.live.agents import Agent
from tests.live.people import enter

pytestmark = pytest.mark.embedded  # about the page in front of the rows, whatever stores them

SOON = 15_000
ASKS = {"type": "object", "properties": {"seat": {"type": "string"}}, "required": ["seat"]}


async def test_the_queue_is_worked_by_keys_and_left_where_it_was(house, visit):
    agent = Agent(house)
    for n in range(2):
        agent.hand_over(f"same-{n}", title=f"Same {n}")
    other = {"call_id": "c-9", "tool": "seat.select", "class": "hard"}
    agent.hand_over("other", title="The other", failure=other)
    page = await enter(visit, house, "ana")
    await page.goto(f"{house.url}/queue/")
    await grouped(page)
    await assigned(page, house)


async def grouped(page):
    """On the row of two, A goes to where both are decided; coming back one stands on it again."""
    await expect(page.locator("#preview")).to_contain_text("2 open cases of one cause.", timeout=SOON)
    assert await page.locator('#preview [data-key="c"]').count() == 0
    await page.keyboard.press("a")
    await page.wait_for_url("**/groups/*/")
    await page.go_back()
    await page.keyboard.press("j")
    await expect(page.locator('[aria-current="true"]')).to_contain_text("The other")
    await expect(page.locator("#preview")).to_contain_text("The other", timeout=SOON)


async def assigned(page, house):
    """D, a name, Enter; the list is at the same row afterwards, and Enter opens its case."""
    await page.keyboard.press("d")
    await expect(page.locator("#preview select[name=person]")).to_be_focused(timeout=SOON)
    await page.locator("#preview select[name=person]").select_option("ana")
    await page.keyboard.press("Enter")
    await expect(page.locator(".notes .toast")).to_contain_text("is on the list of ana", timeout=SOON)
    await expect(page.locator('[aria-current="true"]')).to_contain_text("The other")
    await page.keyboard.press("Enter")
    await page.wait_for_url(f"{house.url}/cases/C-3/")


async def test_a_case_is_worked_by_keys_and_nothing_is_sent_by_chance(house, visit):
    agent = Agent(house)
    agent.hand_over("k-1")
    agent.hand_over("k-2", proposals=[], question={"response_schema": ASKS}, title="Which seat?")
    page = await enter(visit, house, "ana")
    await page.goto(f"{house.url}/cases/C-1/")
    await kept_by_enter(page)
    await came_back(page)
    await page.goto(f"{house.url}/cases/C-2/")
    await answered(page)


async def kept_by_enter(page):
    """Enter in an argument shows the difference, decides nothing, and leaves the cursor where it is."""
    await page.keyboard.press("e")
    field = page.get_by_label("points_max").first
    await field.fill("31000")
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("Approve with edits").first).to_be_visible(timeout=SOON)
    await expect(field).to_be_focused()
    assert page.url.endswith("/cases/C-1/")
    await page.keyboard.press("Control+Enter")
    await expect(page.get_by_role("button", name="Approve with edits")).to_be_focused()
    assert page.url.endswith("/cases/C-1/")


async def came_back(page):
    """Esc leaves the dialog; the focus is at the button that opens it."""
    await page.evaluate("document.activeElement.blur()")
    await page.keyboard.press("x")
    await expect(page.locator("dialog#reject")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.locator("dialog#reject")).to_be_hidden()
    await expect(page.locator('[data-open="reject"]')).to_be_focused()


async def answered(page):
    """R goes to the question, Enter sends nothing, Ctrl Enter sends the answer; Enter then goes on."""
    await page.keyboard.press("r")
    await page.keyboard.type("12A")
    await page.keyboard.press("Enter")
    await expect(page.locator("#bar")).to_be_visible()
    await page.keyboard.press("Control+Enter")
    await expect(page.locator(".notes .toast")).to_contain_text("C-2: responded", timeout=SOON)
    await expect(page.locator("[data-next]")).to_be_focused()
