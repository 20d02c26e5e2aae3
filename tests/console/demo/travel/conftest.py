import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import httpx2
import pytest

from console.demo.travel.app import Pace, Travel
from console.demo.travel.desk import Desk
from console.demo.travel.scenarios import BY_NAME
from console.demo.travel.store import Store
from console.demo.travel.troubles import CALM

HANG_S = 12.0


@dataclass
class Service:
    """The travel service in this process, with a clock and a hang that the test holds in its hand."""

    store: Store = field(default_factory=Store)
    at: datetime = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
    hung: asyncio.Event = field(default_factory=asyncio.Event)
    answer_now: asyncio.Event = field(default_factory=asyncio.Event)
    client: httpx2.AsyncClient | None = None

    def start(self, *scenarios, weather=CALM, cycle=True):
        chosen = [BY_NAME[name] for name in scenarios] or list(BY_NAME.values())
        desk = Desk(seed=1, scenarios=chosen, cycle=cycle and bool(scenarios))
        pace = Pace(latency=0, hang_s=HANG_S, now=lambda: self.at, sleep=self._sleep)
        app = Travel(self.store, desk, weather, pace)
        self.client = httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://travel")
        return self

    async def _sleep(self, seconds):
        if seconds == HANG_S:
            self.hung.set()
            await self.answer_now.wait()

    def pass_time(self, seconds):
        self.at += timedelta(seconds=seconds)

    async def ask(self, method, path, body=None, *, trip="", key="", token=""):
        headers = {"x-trip-id": trip, "idempotency-key": key, "authorization": f"Bearer {token}"}
        args = {"params": body} if method in {"GET", "DELETE"} else {"json": body or {}}
        return await self.client.request(method, path, headers=headers, **args)

    async def request(self, desk="trip-booker"):
        answer = await self.ask("POST", "/requests", {"desk": desk})
        return answer.json()

    async def held(self, trip="", flight="MU5138"):
        body = {"flight": flight, "traveller": "T-1", "cabin": "economy"}
        answer = await self.ask("POST", "/holds", body, trip=trip, key=f"hold-{trip}")
        return answer.json()["hold"]

    async def ledger(self, trip=""):
        return (await self.ask("GET", "/ledger", {"trip": trip})).json()


@pytest.fixture
async def service() -> AsyncIterator[Service]:
    service = Service()
    yield service
    if service.client is not None:
        await service.client.aclose()
    service.store.close()
