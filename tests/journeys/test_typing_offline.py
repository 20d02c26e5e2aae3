"""Nothing that a person typed is lost: the line breaks while they type, and meanwhile somebody else decides."""

import json
import urllib.request

import pytest
from playwright.async_api import expect

from tests.escalations import made
from tests.live.people import enter

pytestmark = pytest.mark.embedded  # about the page in front of the rows, whatever stores them

SOON = 15_000
FIELD = '[name="p0s1/points_max"]'


def hand_over(house):
    key = house.manage("agent", "create", "trip-booker").split()[-1]
    asked = urllib.request.Request(
        f"{house.url}/api/v1/escalations",
        data=made.as_json(made.package()).encode(),
        headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(asked) as answer:
        return json.load(answer)


async def at_case(visit, house, name, ref):
    page = await enter(visit, house, name)
    await page.goto(f"{house.url}/cases/{ref}/")
    return page


async def test_what_was_typed_without_a_line_is_kept_when_somebody_else_decides(house, visit):
    ref = hand_over(house)["ref"]
    typing, other = [await at_case(visit, house, name, ref) for name in ("ana", "ben")]
    await typing.locator(f"details:has({FIELD}) > summary").first.click()
    async with typing.expect_event("requestfailed", timeout=SOON):
        await typing.context.set_offline(True)
        await typing.locator(FIELD).fill("7771")
    await other.locator("button[form=decide][value=approve]:visible").click()
    await expect(other.get_by_text("Approved").first).to_be_visible(timeout=SOON)
    await typing.context.set_offline(False)
    await expect(typing.locator("#kept")).to_contain_text("7771", timeout=SOON)
