"""The long poll that reads the same row as the agent socket, for as long as the socket is down."""

import asyncio
import time
from collections import deque

from switchboard._errors import BadAnswer
from switchboard._mailbox import Mailbox
from switchboard._quiet import quiet
from switchboard._talk import RETRIED, Talk, refusal
from switchboard._transport import Answer, Request

AT_ONCE = 8
WAIT_S = 25
REQUESTS_A_SECOND = 100.0
SHORTEST_S = 0.5
HEARD_S = 60.0


class Poller:
    """A few workers that ask in turn, however many wait: an outage of the socket must not become a flood."""

    def __init__(self, *, mailbox: Mailbox, talk: Talk, wait_s: float = WAIT_S) -> None:
        self._mailbox = mailbox
        self._talk = talk
        self._wait_s = wait_s
        self._standing_in = False
        self._changed = asyncio.Event()
        self._queue: deque[str] = deque()
        self._busy: set[str] = set()
        self._urgent: deque[str] = deque()
        self._heard_at = float("-inf")
        self._failures = 0

    def stand_in(self) -> None:
        """The socket is down: begin to ask."""
        self._standing_in = True
        self.wake()

    def stand_down(self) -> None:
        """The socket is up, or nobody waits: stop asking."""
        self._standing_in = False

    def ask_once(self, escalation_id: str) -> None:
        """Ask about one case although the socket is up."""
        self._urgent.append(escalation_id)
        self.wake()

    def wake(self) -> None:
        """Look again at who waits."""
        self._changed.set()

    def heard(self) -> None:
        """Something came from the console, by whatever way."""
        self._heard_at = time.monotonic()
        self._failures = 0

    @property
    def reachable(self) -> bool:
        """Whether the console has said anything lately."""
        return time.monotonic() - self._heard_at < HEARD_S and self._failures == 0

    async def run(self) -> None:
        """Work for ever."""
        await asyncio.gather(*(self._work() for _ in range(AT_ONCE)))

    async def _work(self) -> None:
        while True:
            escalation_id = await self._next()
            try:
                with quiet("asking for a decision"):
                    await self._ask(escalation_id)
            finally:
                self._busy.discard(escalation_id)

    async def _next(self) -> str:
        while True:
            found = self._pick()
            if found is not None:
                self._busy.add(found)
                return found
            self._changed.clear()
            await self._changed.wait()

    def _pick(self) -> str | None:
        if self._urgent:
            return self._urgent.popleft()
        if not self._standing_in:
            return None
        if not self._queue:
            self._queue.extend(each for each in self._mailbox.ids() if each not in self._busy)
        while self._queue:
            found = self._queue.popleft()
            if found in self._mailbox and found not in self._busy:
                return found
        return None

    async def _ask(self, escalation_id: str) -> None:
        many = len(self._mailbox) > AT_ONCE
        wait = 0.0 if many else self._wait_s
        revision = self._mailbox.revision(escalation_id)
        if not revision:
            return  # it was decided, or given up, since it was queued
        path = f"/api/v1/escalations/{escalation_id}/decision?wait={wait:g}&revision={revision}"
        began = time.monotonic()
        answer = await self._talk.once(Request("GET", path), wait_s=wait)
        settled = None
        if answer is not None and answer.status not in RETRIED:
            settled = self._settle(escalation_id, answer)
        if settled is None:
            self._failures += 1
            await asyncio.sleep(self._talk.pause_after(answer, self._failures))
            return
        self.heard()
        if not settled:
            least = AT_ONCE / REQUESTS_A_SECOND if many else SHORTEST_S
            await asyncio.sleep(max(0.0, least - (time.monotonic() - began)))

    def _settle(self, escalation_id: str, answer: Answer) -> bool | None:
        """Hand over what was said. False where nothing was decided yet, None where it is no answer of the console."""
        if answer.status >= 300:
            self._mailbox.fail(escalation_id, refusal(answer))
            return True
        try:
            row = answer.json()
        except BadAnswer:
            return None  # a proxy's page, with status 200
        if row is None:
            return False
        if not isinstance(row, dict) or row.get("escalation_id") != escalation_id:
            return None
        return self._mailbox.deliver(row)
