"""The agents at work without a process, a port or a second of waiting: the real service, the SDK's fake console."""

import asyncio
from pathlib import Path

import httpx2

from console.demo.agents.roles import ROLES
from console.demo.agents.service import Service
from console.demo.agents.toolkit import toolkit
from console.demo.agents.worker import Rhythm, Worker
from console.demo.travel.app import Pace, Travel
from console.demo.travel.desk import Desk
from console.demo.travel.scenarios import BY_NAME
from console.demo.travel.store import Store
from console.demo.travel.troubles import CALM
from switchboard.testing import FakeConsole

HANG_S = 12.0


class Bench:
    """One service, one console, and agents that share a folder as one process after the other would."""

    def __init__(self, folder: Path, *scenarios, weather=CALM):
        self.console = FakeConsole()
        self.folder = folder
        self.store = Store(str(folder / "travel.sqlite3"))
        desk = Desk(seed=1, scenarios=[BY_NAME[name] for name in scenarios], cycle=True)
        pace = Pace(latency=0, hang_s=HANG_S, now=self.console.clock.now, sleep=self._sleep)
        self.app = Travel(self.store, desk, weather, pace)
        self.client = self.console.client()
        self.running: list[Worker] = []

    async def _sleep(self, seconds):
        if seconds:
            await self.console.clock.advance_async(seconds)

    def worker(self, desk="trip-booker", *, most=1, **rhythm):
        """A worker as a process would make it: another client, another service, the same journal."""
        self.client = self.console.client()
        service = Service("http://travel", transport=httpx2.ASGITransport(self.app))
        box = toolkit(self.client, service, clock=self.console.clock)
        rhythm = Rhythm(per_minute=1e9, opening_s=0, most=most, **rhythm)
        worker = Worker(desk, ROLES[desk].script, service, box, self.folder / f"{desk}.journal", rhythm)
        self.running.append(worker)
        return worker

    async def run(self, desk="trip-booker", *, most=1, within_s=20):
        """Take so many requests and see them to their end."""
        await asyncio.wait_for(self.worker(desk, most=most).run(), within_s)

    def approve_all(self, proposal_id=None):
        self.console.on_open = lambda case: self.console.decide(case, proposal_id=proposal_id)

    @property
    def calls(self):
        """The last word about every call: a higher revision replaces a lower one."""
        self.client.flush()
        latest = {}
        for call in self.console.calls:
            known = latest.get(call["call_id"])
            if known is None or call.get("rev", 0) >= known.get("rev", 0):
                latest[call["call_id"]] = call
        return list(latest.values())

    async def ledger(self, trip=""):
        async with httpx2.AsyncClient(
            transport=httpx2.ASGITransport(self.app), base_url="http://travel"
        ) as client:
            return (await client.get("/ledger", params={"trip": trip})).json()

    def states(self):
        return {row["id"]: row["state"] for row in self.store.rows("SELECT id, state FROM trips")}

    async def close(self):
        for worker in self.running:
            worker.toolbox.close()
            await worker.service.close()
        self.store.close()
