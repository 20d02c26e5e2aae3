"""Every page as a browser shows it: nothing refused by the content policy, nothing out of reach, nothing jumps."""

import re

import pytest
from axe_playwright_python.async_playwright import Axe

from tests.escalations import made
from tests.live.agents import Agent, call
from tests.live.people import enter

pytestmark = pytest.mark.embedded  # about the page in front of the rows, whatever stores them

LONG = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft"[:80]
EVIL = '"><img src=x onerror=alert(1)><script>alert(2)</script>'
ROLES = ("operator", "sre", "admin")
PAGES = (
    "/",
    "/queue/",
    "/queue/?view=done",
    "/cases/C-1/",
    "/cases/C-2/",
    "/cases/C-3/",
    "/cases/C-2/package/",
    "/queue/?view=unreported",
    "/queue/bulk/?do=approve&item=C-1.1&item=C-3.1",
    "/policies/",
    "/new-policy/",
    "/teams/",
    "/new-team/",
    "/pauses/",
    "/tools/",
    "/tools/points.query/",
    "/calls/",
    "/calls/?q=class:hrd+tool:x*",
    "/spikes/",
    "/causes/",
    "/causes/rules/",
    "/traces/4bf92f3577b34da6a3ce929d0e0e4736/",
    "/breakers/",
    "/agents/",
    "/agents/trip-booker/",
    "/agents/trip-booker/?books=stored",
    f"/agents/{LONG}/",
    "/cases/C-4/",
    "/cases/C-4/decision/",
    "/audit/",
    "/people/",
    "/account/",
    "/account/notifications/",
    "/channels/",
    "/channels/new/slack/?team",
    "/outbox/",
    "/api/",
    "/styleguide/",
    "/nowhere/",
)
SHIFTS = """() => new Promise(done => {
  let sum = 0;
  new PerformanceObserver(list => { for (const e of list.getEntries()) if (!e.hadRecentInput) sum += e.value; })
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(sum), 150);
})"""
LOOKS = [("light", 1440), ("dark", 390)]


@pytest.fixture
def full_house(house):
    agent = Agent(house)
    agent.report(
        call("c-1"), call("c-2", tool=EVIL, failure={"class": "internal", "code": EVIL, "message": EVIL})
    )
    agent.hand_over("k-1")
    agent.hand_over("k-2", title=EVIL * 4, goal=EVIL, context={EVIL: EVIL})
    agent.hand_over(
        "k-3", proposals=[], question={"response_schema": {"type": "boolean"}}, title="靠窗还是靠过道？"
    )
    other = Agent(house, LONG)
    other.report(call("c-3", tool=LONG * 2, dependency=LONG))
    failure = {**made.package()["failure"], "tool": LONG, "code": LONG, "message": LONG * 5}
    other.hand_over("k-4", title=LONG * 3, goal=LONG * 2, failure=failure)
    return house


async def furnished(page, house, person):
    """Give every address, those among them that only exist once a person has made something."""
    await page.goto(f"{house.url}/new-team/")
    await page.get_by_label("Name", exact=True).fill(f"desk of {person}")
    await page.locator("#p0").select_option(person)
    await page.get_by_role("button", name="Save").last.click()
    await page.wait_for_url("**/teams/desk*/")
    await page.goto(f"{house.url}/pauses/?kind=agent&name={LONG}&for=pick")
    await page.get_by_label("Reason").fill(LONG)
    await page.get_by_label("For how long").select_option("1h")
    await page.get_by_role("button", name="Hold back").click()
    await page.goto(f"{house.url}/cases/C-1/")
    cause = await page.locator('aside a[href^="/groups/"]').first.get_attribute("href")
    return (*PAGES, cause, f"/teams/desk%20of%20{person}/", f"/teams/desk%20of%20{person}/change/")


@pytest.mark.slow
async def test_every_page_is_calm_and_within_reach(full_house, visit):
    wrong = {}
    for scheme, width in LOOKS:
        page = await enter(visit, full_house, f"ana-{scheme}", *ROLES, color_scheme=scheme)
        await page.set_viewport_size({"width": width, "height": 900})
        for path in await furnished(page, full_house, f"ana-{scheme}"):
            if seen := await look(page, full_house.url + path):
                wrong[f"{path} {scheme} {width}"] = seen
    assert wrong == {}


async def look(page, address):
    """Open a page and say everything that is wrong with it."""
    complaints = []

    def told(message):
        if message.type == "error" and not re.search("status of 40[45]", message.text):
            complaints.append(message.text)

    page.on("console", told)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    await page.goto(address)
    shifted = await page.evaluate(SHIFTS)
    beyond = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
    found = (await Axe().run(page)).response["violations"]
    complaints += [f"{each['id']}: {each['nodes'][0]['target']}" for each in found]
    complaints += [f"shifts by {shifted:.3f}"] if shifted > 0.01 else []
    complaints += [f"{beyond} px too wide"] if beyond > 0 else []
    page.remove_listener("console", told)
    return complaints


async def test_the_console_reads_the_same_in_chinese(full_house, visit):
    page = await enter(visit, full_house, "ana", *ROLES)
    addresses = await furnished(page, full_house, "ana")
    await page.get_by_role("button", name="简体中文").click()
    for path in addresses:
        await page.goto(full_house.url + path)
        assert await page.locator("html").get_attribute("lang") == "zh-hans", path
    await page.goto(full_house.url + "/cases/C-1/")
    assert "它可能已经生效" in await page.locator("#what-failed").inner_text()
