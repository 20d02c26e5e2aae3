"""Cases of one cause are decided once by keyboard, who joins meanwhile is not swept along, and where two have to agree
nobody sees the other's vote before."""

import pytest
from playwright.async_api import expect

from tests.live.agents import Agent
from tests.live.people import enter

pytestmark = pytest.mark.embedded  # about the page in front of the rows, whatever stores them

SOON = 15_000


async def test_a_cause_is_decided_once_and_a_second_person_settles_what_needs_two(house, visit):
    agent = Agent(house)
    for n in range(3):
        agent.hand_over(f"k-{n}", title=f"Upgrade number {n}")
    ana = await enter(visit, house, "ana", "operator", "admin")
    await decided_from_the_list(ana, house)
    await joined_by_a_newcomer(ana, agent)
    await ruled(ana, house)
    ref = agent.hand_over("k-9", title="For two", severity="critical")["ref"]
    await settled_by_two(ana, await enter(visit, house, "ben", "operator"), f"{house.url}/cases/{ref}/")


async def decided_from_the_list(ana, house):
    """X ticks the whole cause, Shift A looks it over, Esc and back lose nothing."""
    await ana.goto(f"{house.url}/queue/")
    await expect(ana.locator("[data-group]")).to_contain_text("3 cases, one cause")
    await ana.keyboard.press("x")
    await expect(ana.locator("#bulk [data-ticked]")).to_have_text("3 ticked")
    await ana.keyboard.press("Shift+A")
    await expect(ana.locator("h1")).to_have_text("Approve 3 cases, each by its own plan", timeout=SOON)
    await expect(ana.locator("[data-tick]:checked")).to_have_count(3)
    await ana.go_back()
    await ana.keyboard.press("ArrowRight")
    await expect(ana.locator("[data-in]:visible")).to_have_count(3)
    await ana.locator("[data-group] .t a").click()


async def joined_by_a_newcomer(ana, agent):
    """On the page of the cause somebody joins: seen at once, not ticked, not decided along."""
    await expect(ana.locator("#bulk [data-ticked]")).to_have_text("3 ticked", timeout=SOON)
    newcomer = agent.hand_over("k-3", title="The newcomer")["ref"]
    row = ana.locator(f'[data-id="{newcomer}"]')
    await expect(row).to_contain_text("joined just now", timeout=SOON)
    await expect(row.locator("[data-tick]")).not_to_be_checked()
    await ana.get_by_role("button", name="Approve each one").click()
    await expect(ana.locator("h1")).to_have_text("3 done", timeout=SOON)
    await ana.get_by_role("link", name="Back to the list").click()
    await expect(ana.locator("[data-row]")).to_have_count(1)
    await expect(ana.locator("#precedents li")).to_have_count(3)


async def ruled(ana, house):
    """A policy is tried on history, then saved."""
    await ana.goto(f"{house.url}/new-policy/")
    await ana.get_by_label("Name").fill("two for the critical")
    await ana.get_by_label("Severity").select_option("critical")
    await ana.get_by_label("How many must agree").fill("2")
    await ana.get_by_label("State").select_option("on")
    await ana.get_by_role("button", name="Try it on history").click()
    await expect(ana.locator("#tried")).to_contain_text("0 of the last 4 cases", timeout=SOON)
    await ana.get_by_role("button", name="Save").click()
    await expect(ana.get_by_text("two for the critical is saved.")).to_be_visible(timeout=SOON)


async def settled_by_two(ana, ben, address):
    """The second voter does not see the first one's word; both see that they agree."""
    for page in (ana, ben):
        await page.goto(address)
    await ana.locator("button[form=decide][value=approve]:visible").click()
    await expect(ana.locator("#bar")).to_contain_text("You have voted: approve", timeout=SOON)
    await expect(ben.locator("#bar")).to_contain_text("1 have voted", timeout=SOON)
    await expect(ben.locator("#votes")).not_to_contain_text("ana")
    await ben.locator("button[form=decide][value=approve]:visible").click()
    await expect(ben.locator("#what-happened")).to_contain_text("ana, ben", timeout=SOON)
    await expect(ana.locator("#what-happened")).to_contain_text("ana, ben", timeout=SOON)
