"""One agent at work: takes requests at its rate, runs each in a session of its own, and waits for people beside them."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2

import switchboard as sb
from console.demo.agents import words
from console.demo.agents.service import Service
from console.demo.agents.toolkit import under_way
from console.demo.agents.trip import Trip, Waiting

Script = Callable[[Trip], Awaitable[str]]
AGAIN_S = 2.0
LIMITS = sb.Limits(calls=14, calls_per_tool=8, rounds=5, deadline_s=60)
log = logging.getLogger("switchboard.demo")


@dataclass(frozen=True)
class Rhythm:
    """How fast requests are taken.

    The first `opening` of them come every `opening_s` seconds, so that a new console has something to show; then
    `per_minute`. With `enough` cases waiting for people only requests that are likely to go through are asked for.
    """

    per_minute: float = 10.0
    opening: int = 20
    opening_s: float = 1.0
    enough: int = 12
    most: int = 0

    def pause_s(self, taken: int) -> float:
        """How long to wait before the next request."""
        steady = 60.0 / self.per_minute
        return min(self.opening_s, steady) if taken < self.opening else steady


@dataclass
class Worker:
    """Runs for ever. What is under way survives the process: the journal knows it and the desk lists it."""

    desk: str
    script: Script
    service: Service
    toolbox: sb.Toolbox
    journal: Path
    rhythm: Rhythm = field(default_factory=Rhythm)
    limits: sb.Limits = LIMITS
    waiting: Waiting = field(default_factory=Waiting)

    def __post_init__(self) -> None:
        """Begin with nothing under way."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._taken = 0

    async def run(self) -> None:
        """Go on with what an earlier process left, then take requests; ends after `most` of both, if that is set."""
        for wish in await self._left_over():
            self._begin(wish)
            self._taken += 1
        while not self.rhythm.most or self._taken < self.rhythm.most:
            fresh = await self._next()
            if fresh is not None:
                self._begin(fresh)
                self._taken += 1
            await asyncio.sleep(self.rhythm.pause_s(self._taken))
        await asyncio.gather(*self._tasks)

    async def _left_over(self) -> list[dict[str, Any]]:
        while True:
            try:
                return await self.service.open_requests(self.desk)
            except httpx2.HTTPError as exc:
                log.warning("The desk of %s cannot be asked yet: %s", self.desk, exc)
                await asyncio.sleep(AGAIN_S)

    async def _next(self) -> dict[str, Any] | None:
        try:
            return await self.service.next_request(
                self.desk, quiet=len(self.waiting.cases) >= self.rhythm.enough
            )
        except httpx2.HTTPError as exc:
            log.warning("No request for %s: %s", self.desk, exc)
            return None

    def _begin(self, wish: dict[str, Any]) -> None:
        task = asyncio.create_task(self._work(wish), name=str(wish["trip"]))
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (broken := task.exception()) is not None:
            log.error(
                "Request %s broke and stays open until the next start.", task.get_name(), exc_info=broken
            )

    async def _work(self, wish: dict[str, Any]) -> None:
        self.service.remember(str(wish.get("account", "")), str(wish.get("token", "")))
        opened = self.toolbox.session(
            id=str(wish["trip"]), goal=words.goal(wish), journal=self.journal, limits=self.limits
        )
        trip = Trip(wish=wish, session=opened, at=datetime.now(UTC), waiting=self.waiting)
        under_way.set(trip)
        async with opened:
            state = await self.script(trip)
        await self.service.finish(trip.id, state)
