"""The main job: an agent hands over, one person decides, the other sees it, the agent dies and still does it once."""

import json
import os
import signal
import subprocess
import sys

import pytest
from playwright.async_api import expect

from tests.live.house import ROOT
from tests.live.people import enter

SOON = 15_000


class Refunder:
    """The agent's process and what it has done to the outside world."""

    def __init__(self, house, tmp_path):
        key = house.manage("agent", "create", "refund-clerk").split()[-1]
        self.ledger = tmp_path / "ledger"
        paths = os.pathsep.join([str(ROOT), str(ROOT / "sdk" / "src")])
        self.env = {
            **os.environ,
            "SWITCHBOARD_URL": house.url,
            "SWITCHBOARD_KEY": key,
            "LEDGER": str(self.ledger),
            "PYTHONPATH": paths,
        }
        self.process = None

    def start(self):
        self.kill()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.live.refunder"],
            env=self.env,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )

    def says(self):
        """Wait for its next line."""
        return self.process.stdout.readline().strip()

    def freeze(self):
        self.process.send_signal(signal.SIGSTOP)

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()

    @property
    def refunds(self):
        return (
            [json.loads(line) for line in self.ledger.read_text().splitlines()]
            if self.ledger.exists()
            else []
        )


@pytest.fixture
def refunder(house, tmp_path):
    agent = Refunder(house, tmp_path)
    yield agent
    agent.kill()


async def test_one_decides_with_an_edit_the_other_sees_it_and_the_killed_agent_does_it_once(
    house, visit, refunder
):
    refunder.start()
    assert refunder.says().startswith("waiting")
    ana, ben = await enter(visit, house, "ana"), await enter(visit, house, "ben")
    for page in (ana, ben):
        await page.goto(f"{house.url}/cases/C-1/")
        await expect(
            page.get_by_role("heading", name="Refund of 1,840.00 over the desk limit")
        ).to_be_visible()
        await expect(page.get_by_role("status").filter(has_text="Live")).to_be_visible(timeout=SOON)

    await claim(ana, seen_by=ben)
    await edit(ana, "amount", "1840", "900")

    refunder.freeze()
    await ana.get_by_role("button", name="Approve with edits").click()
    await expect(ben.get_by_text("ana", exact=False).first).to_be_visible()
    await expect(ben.locator("#case")).to_contain_text("edited", timeout=SOON, ignore_case=True)
    refunder.kill()
    assert refunder.refunds == []

    refunder.start()
    assert refunder.says().startswith("waiting")
    assert refunder.says() == "decided edit"
    assert refunder.says() == "reported"
    (made,) = refunder.refunds
    assert made["args"] == {"booking": "H-77120", "amount": 900}
    assert made["key"] != "trip-42:refund:H-77120"
    await expect(ben.locator("#case")).to_contain_text("executed", timeout=SOON, ignore_case=True)

    await refuse_the_late(ben, house)
    assert "The chain holds" in house.manage("audit", "verify")


async def case_id(page, house):
    listed = await page.context.request.get(f"{house.url}/api/v1/escalations")
    return (await listed.json())["escalations"][0]["id"]


async def loaded(page, house):
    answer = await page.context.request.get(f"{house.url}/api/v1/escalations/{await case_id(page, house)}")
    return await answer.json()


async def tokens(page, house):
    cookies = {cookie["name"]: cookie["value"] for cookie in await page.context.cookies()}
    return {"X-CSRFToken": cookies["csrftoken"], "Referer": house.url}


async def claim(page, *, seen_by):
    await page.get_by_role("button", name="Claim").click()
    await expect(page.get_by_text("Held by you, lease")).to_be_visible()
    await expect(seen_by.get_by_text("Held by ana, lease")).to_be_visible(timeout=SOON)


async def edit(page, name, old, new):
    await page.get_by_role("button", name="Edit E").click()
    await page.get_by_label(name).fill(new)
    await expect(page.locator(".diff .add")).to_contain_text(new, timeout=SOON)
    await expect(page.locator(".diff .del")).to_contain_text(old)


async def refuse_the_late(page, house):
    late = await page.context.request.post(
        f"{house.url}/api/v1/escalations/{await case_id(page, house)}/decision",
        data={"decision_key": "late-1", "base_revision": 1, "action": "reject", "message": "no"},
        headers=await tokens(page, house),
    )
    won = (await late.json())["winner"]
    made_at = (await loaded(page, house))["current_decision"]["decided_at"]
    assert (late.status, won["name"], won["decision"]) == (409, "ana", "edited")
    assert won["decided_at"][:23] == made_at[:23]
