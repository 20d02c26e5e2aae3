"""An operator's afternoon at the keyboard: nothing moves, nothing typed is lost, and a dead line says so."""

import pytest
from playwright.async_api import expect

from tests.live.agents import Agent, call
from tests.live.people import enter

pytestmark = pytest.mark.embedded  # about the page in front of the rows, whatever stores them

SOON = 15_000


async def live(page):
    await expect(page.get_by_role("status").filter(has_text="Live")).to_be_visible(timeout=SOON)


async def test_arrivals_wait_until_they_are_asked_for(house, visit):
    agent = Agent(house)
    for n in range(3):
        cause = {"call_id": f"c-{n}", "tool": f"tool.{n}", "class": "hard"}
        agent.hand_over(f"k-{n}", title=f"Case {n}", failure=cause)
    page = await enter(visit, house, "ana")
    await page.goto(f"{house.url}/queue/")
    await live(page)
    rows = page.locator("[data-row]")
    second = rows.nth(1)
    place = await second.bounding_box()

    await page.keyboard.press("j")
    await page.keyboard.press("c")
    await expect(second.get_by_text("you,")).to_be_visible(timeout=SOON)
    agent.hand_over("k-9", title="The late one")
    await expect(page.get_by_text("1 arrived")).to_be_visible(timeout=SOON)
    assert await rows.count() == 3
    assert await second.bounding_box() == place
    assert await page.title() == "(4) Queue · Switchboard"

    await page.keyboard.press(".")
    await expect(page.get_by_text("The late one")).to_be_visible()
    await expect(page.get_by_text("1 arrived")).to_be_hidden()


async def test_calls_that_arrive_wait_until_they_are_asked_for(house, visit):
    agent = Agent(house)
    agent.report(call("c-1"))
    page = await enter(visit, house, "ana")
    await page.goto(f"{house.url}/calls/")
    await live(page)
    rows = page.locator("[data-row]")
    place = await rows.first.bounding_box()

    agent.report(call("c-2", tool="late.one"))
    await expect(page.get_by_text("1 arrived")).to_be_visible(timeout=SOON)
    assert await rows.count() == 1
    assert await rows.first.bounding_box() == place

    await page.keyboard.press(".")
    await expect(rows).to_have_count(2)
    await expect(page.get_by_text("1 arrived")).to_be_hidden()


async def test_what_is_typed_survives_everything_that_happens_around_it(house, visit):
    """Check: new item arrives, or socket drops, while editing: nothing resets, nothing defaults to approve."""
    Agent(house).hand_over("k-1")
    ana, ben = await enter(visit, house, "ana"), await enter(visit, house, "ben")
    for page in (ana, ben):
        await page.goto(f"{house.url}/cases/C-1/")
        await live(page)

    await ben.get_by_label("Add a note").fill("Half a thought")
    await ben.keyboard.press("Escape")
    await ben.locator("#main").focus()
    await ben.keyboard.press("x")
    await ben.get_by_label("Reason").fill("It is an exit row.")
    await ana.get_by_role("button", name="Claim").click()
    await expect(ben.locator("#top")).to_contain_text("Held by ana", timeout=SOON)
    assert await ben.get_by_label("Reason").input_value() == "It is an exit row."

    await ana.get_by_role("button", name="Approve A").click()
    await expect(ben.locator("#case")).to_contain_text("ana decided while you were writing.", timeout=SOON)
    assert await ben.get_by_label("What you had written").input_value() == "It is an exit row."
    assert await ben.get_by_label("Add a note").input_value() == "Half a thought"


async def test_a_dead_line_says_so_and_the_page_catches_up(house, visit):
    """Check: new item arrives, or socket drops, while editing: nothing resets."""
    agent = Agent(house)
    agent.hand_over("k-1")
    page = await enter(visit, house, "ana")
    await page.goto(f"{house.url}/cases/C-1/")
    await live(page)
    await page.get_by_label("Add a note").fill("Typed through it all")
    house.kill()
    await expect(page.get_by_text("Connection lost")).to_be_visible(timeout=SOON)
    house.restart()
    agent.post(f"/api/v1/escalations/{await case_id(page, house)}/cancel", {"reason": "Not needed any more."})
    await live(page)
    await expect(page.locator("#case")).to_contain_text("The agent withdrew the case.", timeout=SOON)
    assert await page.get_by_label("Add a note").input_value() == "Typed through it all"


async def case_id(page, house):
    listed = await page.context.request.get(f"{house.url}/api/v1/escalations")
    return (await listed.json())["escalations"][0]["id"]
