"""Breakers tell the console what they do, every ten seconds that they live, and hear what people order."""

import asyncio
import json
import threading
import time
from collections import deque
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import quote, urlencode

from switchboard._errors import BadAnswer, Closed
from switchboard._forks import renew_after_fork
from switchboard._ids import uuid7
from switchboard._line import Line, Listener, RealLine
from switchboard._orders import CAP_S, PATH, Orders, ReportsItself, complain
from switchboard._quiet import quiet
from switchboard._talk import RETRIED, backoff, post
from switchboard._transport import Request
from switchboard.wire import BreakerEvent

BEAT_S = 10.0
GATHER_S = 0.1
WAIT_S = 25
SHORTEST_S = 1.0
MOST_EVENTS = 1_000


class BreakerLink(Listener):
    """Every breaker of this process that people can see and steer. Nothing here ever blocks or raises into a call."""

    def __init__(self, line: Line, *, agent_version: str | None = None) -> None:
        self._line = line
        self._agent_version = agent_version
        self._begin()
        line.listen(self)
        renew_after_fork(self)

    @classmethod
    def of(cls, line: Line, *, agent_version: str | None = None) -> "BreakerLink":
        """Give the one link of a line: a heartbeat names every breaker of the process."""
        if not isinstance(line.breakers, cls):
            line.breakers = cls(line, agent_version=agent_version)
        return line.breakers

    def _begin(self) -> None:
        self._lock = threading.Lock()
        self._breakers: dict[str, list[ReportsItself]] = getattr(self, "_breakers", {})
        self._events: deque[dict[str, Any]] = deque()
        self._seqs: dict[str, int] = {}
        self._orders = Orders(self._line, lambda name: tuple(self._breakers.get(name, ())))
        self._after = 0
        self._running = False
        self._stir = asyncio.Event()
        self.dropped: int = 0

    def register(self, breaker: ReportsItself) -> None:
        """Put a breaker on the board; orders that are in force already are obeyed at once."""
        with quiet("registering a breaker"):
            with self._lock:
                self._breakers.setdefault(breaker.name, []).append(breaker)
            self._start()
            self._orders.catch_up(breaker)

    def unregister(self, breaker: ReportsItself) -> None:
        """Take a breaker off the board."""
        with self._lock:
            left = [each for each in self._breakers.get(breaker.name, ()) if each is not breaker]
            self._breakers[breaker.name] = left

    def report(self, event: BreakerEvent) -> None:
        """Tell of one transition. Queued, numbered and sent in order; the oldest are dropped, counted, when too many."""
        with quiet("reporting a breaker"):
            said = event.wire()
            said.setdefault("occurred_at", self._line.clock.now().isoformat())
            with self._lock:
                seq = self._seqs[event.breaker] = self._seqs.get(event.breaker, 0) + 1
                who = self._line.process
                said |= {"event_id": uuid7(), "instance": who.instance, "boot_id": who.boot, "seq": seq}
                self._events.append(said)
                if len(self._events) > MOST_EVENTS:
                    self._events.popleft()
                    self.dropped += 1
            self._start()
            self._wake()

    def drain(self, deadline_s: float) -> None:
        """Send what waits before the line is closed."""
        if not self._events or not isinstance(self._line, RealLine):
            return
        with quiet("sending the last of the breakers' events"), suppress(Closed, TimeoutError):
            self._line.submit(self.flush()).result(deadline_s)

    def forked(self) -> None:
        """Begin again in a child process, with the same breakers and numbers of its own."""
        running = self._running
        self._begin()
        if running:
            self._start()

    # -- the three loops ----------------------------------------------------------------------------------------

    def _start(self) -> None:
        line = self._line
        if self._running or not isinstance(line, RealLine):
            return
        self._running = True
        try:
            for loop in (self._send_events(), self._beat(), self._listen()):
                self._submit(line, loop)
        except Closed:
            self._running = False

    @staticmethod
    def _submit(line: RealLine, loop: Coroutine[Any, Any, None]) -> None:
        line.submit(loop)

    def _wake(self) -> None:
        if isinstance(self._line, RealLine):
            self._line.soon(self._stir.set)
        else:
            self._line.engine.run(self.flush())

    async def _send_events(self) -> None:
        failures = 0
        while True:
            await self._stir.wait()
            await asyncio.sleep(GATHER_S)
            self._stir.clear()
            while self._events:
                if await self.flush():
                    failures = 0
                    continue
                failures += 1
                await asyncio.sleep(backoff(failures, cap=CAP_S))

    async def _beat(self) -> None:
        while True:
            with quiet("sending a heartbeat"):
                await self.beat()
            await asyncio.sleep(BEAT_S)

    async def _listen(self) -> None:
        failures = 0
        while True:
            heard, before, began = False, self._after, time.monotonic()
            with quiet("listening for orders"):
                heard = await self.listen(wait_s=WAIT_S)
            failures = 0 if heard else failures + 1
            if failures:
                await asyncio.sleep(backoff(failures, base=0.5, cap=CAP_S))
            elif before == self._after:  # a console that does not wait must not be asked without a pause
                await asyncio.sleep(max(0.0, SHORTEST_S - (time.monotonic() - began)))

    # -- one thing at a time ------------------------------------------------------------------------------------

    async def flush(self) -> bool:
        """Send the waiting events; False when they still wait."""
        with self._lock:
            part = list(self._events)[:MOST_EVENTS]
        if not part:
            return True
        answer = await self._line.talk.once(
            post(f"{PATH}/events", json.dumps({"events": part}).encode("utf-8", "replace"))
        )
        if answer is None or answer.status in RETRIED or answer.status in {401, 403}:
            return False
        with self._lock:
            sent = {each["event_id"] for each in part}
            self._events = deque(each for each in self._events if each["event_id"] not in sent)
        complain(answer)
        return True

    async def beat(self) -> bool:
        """Send one heartbeat with every breaker as it stands."""
        with self._lock:
            # Two toolboxes may have a breaker of one name; the newest stands for both on the board, orders reach both.
            present = tuple(each[-1] for each in self._breakers.values() if each)
        breakers = []
        for breaker in present:
            with quiet("looking at a breaker"):
                seq = self._seqs.get(breaker.name, 0)
                breakers.append({"breaker": breaker.name, "seq": seq, **breaker.snapshot().wire()})
        who = self._line.process
        said: dict[str, Any] = {
            "boot_id": who.boot,
            "sent_at": self._line.clock.now().isoformat(),
            "breakers": breakers,
        }
        if self._agent_version is not None:
            said["agent_version"] = self._agent_version
        path = f"{PATH}/instances/{quote(who.instance, safe='')}"
        answer = await self._line.talk.once(Request("PUT", path, json.dumps(said).encode("utf-8", "replace")))
        if answer is not None and answer.status >= 300 and answer.status not in RETRIED:
            complain(answer)
        return answer is not None and answer.status < 300

    async def listen(self, *, wait_s: float = 0) -> bool:
        """Ask once for orders newer than the last one; False when the console did not say."""
        query = urlencode(
            {"instance": self._line.process.instance, "after": self._after, "wait": f"{wait_s:g}"}
        )
        answer = await self._line.talk.once(Request("GET", f"{PATH}/commands?{query}"), wait_s=wait_s)
        if answer is None or answer.status >= 300:
            return False
        try:
            said = answer.mapping() if answer.body.strip() else {}
        except BadAnswer:
            return False
        for row in said.get("commands") or ():
            self._orders.take(row)
        if isinstance(after := said.get("after"), int):
            self._after = max(self._after, after)
        return True

    def take(self, kind: str, message: Mapping[str, Any]) -> None:
        # An order that came over the socket does not move the cursor: an earlier one may have been lost there.
        if kind == "breaker_command":
            self._orders.take(message)
