"""A person adds a channel, asks for a test, and it arrives: in the browser, and at a server of theirs."""

import json

import pytest

from tests.live.people import enter
from tests.receivers import HttpReceiver

pytestmark = pytest.mark.embedded  # about the page in front of the rows, whatever stores them

# What the browser would show, kept by the page; asking for permission is counted.
KEEPING = """
  window.shown = [];
  window.asked = 0;
  window.Notification = class extends EventTarget {
    static permission = localStorage.allowed ? "granted" : "default";
    static async requestPermission() { window.asked += 1; localStorage.allowed = "1"; this.permission = "granted"; return "granted"; }
    constructor(title, options) { super(); window.shown.push({ title, ...options }); }
    close() {}
  };
"""


async def until(page, look, *, looks=300):
    """Look again until something is there; give it."""
    for _look in range(looks):
        if seen := await look():
            return seen
        await page.wait_for_timeout(100)
    raise AssertionError("It never came.")


async def sent_after_reload(page):
    await page.reload()
    return await page.get_by_text("sent", exact=True).count()


async def found(receiver):
    return receiver.got


async def test_the_browser_is_asked_on_a_click_only_and_shows_what_is_offered_to_it_once(house, visit):
    page = await enter(visit, house, "ana")
    await page.context.add_init_script(KEEPING)
    await page.goto(f"{house.url}/account/notifications/")
    assert await page.evaluate("asked") == 0
    await page.get_by_role("button", name="Allow notices in this browser").click()
    await page.get_by_text("This browser may show notices.").wait_for()
    await page.get_by_role("link", name="This browser").click()
    await page.get_by_role("button", name="Add").click()
    await page.get_by_role("button", name="Send a test").click()
    (shown,) = await until(page, lambda: page.evaluate("shown"))
    assert shown["title"] == "A test, asked for by ana"
    await page.goto(f"{house.url}/outbox/")
    await until(page, lambda: sent_after_reload(page))
    assert await page.evaluate("shown") == []


async def test_a_refused_address_keeps_what_was_typed_and_a_good_one_is_posted_to(house, visit):
    house.env["WEBHOOK_NETWORKS"] = "127.0.0.0/8"
    house.kill()
    house.restart()
    with HttpReceiver() as receiver:
        page = await enter(visit, house, "ana", "operator", "admin")
        await page.goto(f"{house.url}/channels/new/webhook/?team")
        await page.get_by_label("Name").fill("pager")
        await page.get_by_label("Address that takes a POST").fill("http://10.1.2.3/hook")
        await page.get_by_role("button", name="Add").click()
        await page.get_by_role("alert").wait_for()
        assert await page.get_by_label("Name").input_value() == "pager"
        await page.get_by_label("Address that takes a POST").fill(receiver.url)
        await page.get_by_role("button", name="Add").click()
        await page.locator("#new-secret").wait_for()
        await page.get_by_role("button", name="Send a test").click()
        (got,) = await until(page, lambda: found(receiver))
    told = json.loads(got.body)
    assert got.headers["webhook-id"] == told["message_id"]
    assert told["notices"][0]["text"] == "A test, asked for by ana"
