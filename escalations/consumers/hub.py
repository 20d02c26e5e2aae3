"""Who waits for which decision in this process, and the one place where hints become rows again.

One subscription to the channel layer for the whole process, one read for everybody who waits, and a look at the rows
every few seconds whatever the hints say: a lost hint, or a lost Redis, costs seconds and never a decision.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from typing import Any, Protocol
from uuid import UUID

from channels.layers import get_channel_layer

from console.kit import hints, turns
from escalations import announce, operations, queries
from escalations.announce import agent_group
from escalations.consumers.pool import reads, writes
from escalations.queries import Waiting
from escalations.vocabulary import Source

log = logging.getLogger(__name__)

REREAD_S = 5.0
REJOIN_S = 600.0  # the in-memory layer forgets members after a day
AT_ONCE = 500
PAUSE_S = 1.0
CANCEL_AGAIN_S = 0.2
Message = dict[str, Any]


class Waiter(Protocol):
    """A socket or a long poll. `sent` is what it was given (decision → case), so that a look does not repeat it."""

    agent_id: str
    ids: set[UUID]
    sent: dict[UUID, UUID]

    def take(self, waiting: Waiting) -> None:
        """Get a decision; must not block."""

    def hint(self, message: Message) -> None:
        """Get a hint that is not about a decision."""


class Hub:
    """Keeps the waiters of one event loop, reads for them and marks what was sent."""

    def __init__(self, *, reread_s: float = REREAD_S) -> None:
        self.reread_s = reread_s
        self._loop: asyncio.AbstractEventLoop | None = None
        self._reset()

    def _reset(self) -> None:
        self._by_case: dict[UUID, set[Waiter]] = {}
        self._by_agent: dict[str, set[Waiter]] = {}
        self._due: set[UUID] = set()
        self._sent: list[UUID] = []
        self._stir = asyncio.Event()
        self._mark = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._channel: str | None = None

    # -- joining and leaving -----------------------------------------------------------------------------------

    async def join(self, waiter: Waiter) -> None:
        """Let a waiter hear what concerns its agent."""
        self._start()
        others = self._by_agent.setdefault(waiter.agent_id, set())
        others.add(waiter)
        if len(others) == 1:
            await self._listen_to(waiter.agent_id)

    async def leave(self, waiter: Waiter) -> None:
        """Forget a waiter; the rows stay as they are."""
        for case_id in waiter.ids:
            self._drop(case_id, waiter)
        others = self._by_agent.get(waiter.agent_id, set())
        others.discard(waiter)
        if not others and self._by_agent.pop(waiter.agent_id, None) is not None and self._channel is not None:
            await _if_up(_layer().group_discard(agent_group(waiter.agent_id), self._channel))

    def watch(self, waiter: Waiter, case_ids: Iterable[UUID]) -> None:
        """Wait for these cases; everything unacknowledged of them comes at once, sent before or not."""
        asked = set(case_ids)
        waiter.sent = {decision: case_id for decision, case_id in waiter.sent.items() if case_id not in asked}
        for case_id in asked:
            waiter.ids.add(case_id)
            self._by_case.setdefault(case_id, set()).add(waiter)
            self._due.add(case_id)
        self._stir.set()

    def waiting(self) -> int:
        """Count the cases that somebody waits for."""
        return len(self._by_case)

    def sent(self, decision_id: UUID) -> None:
        """Remember that a decision left on a socket; the row says so a moment later."""
        self._sent.append(decision_id)
        self._mark.set()

    # -- its tasks ---------------------------------------------------------------------------------------------

    def _start(self) -> None:
        loop = asyncio.get_running_loop()
        if self._loop is loop and self._tasks:
            return
        self._reset()
        self._loop = loop
        for work in (self._hear, self._read, self._look, self._write_down):
            self._tasks.append(loop.create_task(self._forever(work), name=f"hub{work.__name__}"))

    async def stop(self) -> None:
        """End the tasks after what was sent has been written down."""
        tasks, self._tasks = set(self._tasks), []
        while tasks:  # once is not enough: a client of Redis that is just connecting swallows a cancellation
            for task in tasks:
                task.cancel()
            _, tasks = await asyncio.wait(tasks, timeout=CANCEL_AGAIN_S)
        if self._sent:
            await self._flush()
        self._loop = None

    async def _forever(self, work: Callable[[], Any]) -> None:
        while True:
            try:
                await work()
            except Exception:  # a layer or database that is down comes back; waiting goes on
                log.warning("waiting for decisions: trying again", exc_info=True)
                await asyncio.sleep(PAUSE_S)

    async def _hear(self) -> None:
        """Turn hints into reads. A new channel after every break, since the old one may be gone."""
        layer = _layer()
        self._channel = await layer.new_channel("hub")
        for agent_id in tuple(self._by_agent):
            await layer.group_add(agent_group(agent_id), self._channel)
        self._due.update(self._by_case)  # what was hinted at before we listened is in the rows
        self._stir.set()
        while True:
            message = await layer.receive(self._channel)
            if message.get("type") == "decision.made":
                self._hinted(message)
            else:
                for waiter in tuple(self._by_agent.get(str(message.get("agent_id", "")), ())):
                    waiter.hint(message)

    def written(self, told: object) -> None:
        """Take a decision that a thread of this process has just committed; the hint that follows finds it sent."""
        loop = self._loop
        if isinstance(told, Waiting) and not told.undoable and loop is not None and loop.is_running():
            loop.call_soon_threadsafe(self._give, told)

    def _give(self, waiting: Waiting) -> None:
        for waiter in self._wanting(waiting):
            waiter.sent[waiting.decision.decision_id] = waiting.decision.escalation_id
            waiter.take(waiting)

    def _wanting(self, waiting: Waiting) -> list[Waiter]:
        return [
            waiter
            for waiter in self._by_case.get(waiting.decision.escalation_id, ())
            if waiter.agent_id == waiting.agent_id and waiting.decision.decision_id not in waiter.sent
        ]

    def _hinted(self, message: Message) -> None:
        case_id, decision_id = UUID(str(message["escalation_id"])), UUID(str(message["decision_id"]))
        if all(decision_id in waiter.sent for waiter in self._by_case.get(case_id, ())):
            return
        ahead = (datetime.fromisoformat(message["deliver_after"]) - datetime.now(UTC)).total_seconds()
        if ahead > 0 and self._loop is not None:
            self._loop.call_later(ahead + 0.001, self._wake, case_id)
        else:
            self._wake(case_id)

    def _wake(self, case_id: UUID) -> None:
        self._due.add(case_id)
        self._stir.set()

    async def _read(self) -> None:
        """Read for everybody whose case moved, in as few statements as the crowd allows."""
        while True:
            await self._stir.wait()
            self._stir.clear()
            while self._due:
                part = [self._due.pop() for _ in range(min(AT_ONCE, len(self._due)))]
                try:
                    found = await reads.run(
                        partial(queries.out_for, escalation_ids=part, at=datetime.now(UTC))
                    )
                except Exception:
                    self._due.update(part)
                    self._stir.set()
                    raise
                await self._hand_out(found)

    async def _hand_out(self, found: Sequence[Waiting]) -> None:
        for waiting in found:
            if waiting.undoable and waiting.unsent and self._wanting(waiting):
                # Somebody might still take it back by another clock: say that it is gone before it goes.
                await self._say_sent([waiting.decision.decision_id])
            self._give(waiting)

    async def _look(self) -> None:
        """Look at all rows again and again, whatever the hints say, and renew the memberships."""
        while True:
            for _ in range(max(1, int(REJOIN_S / self.reread_s))):
                await asyncio.sleep(self.reread_s)
                self._due.update(self._by_case)
                self._stir.set()
            for agent_id in tuple(self._by_agent):
                await self._listen_to(agent_id)

    async def _write_down(self) -> None:
        while True:
            await self._mark.wait()
            self._mark.clear()
            await self._flush()

    async def _flush(self) -> None:
        while self._sent:
            part = self._sent[:AT_ONCE]
            await self._say_sent(part)
            del self._sent[: len(part)]

    @staticmethod
    async def _say_sent(decision_ids: Sequence[UUID]) -> None:
        at = datetime.now(UTC)
        await writes.run(
            partial(operations.mark_delivered, decision_ids=decision_ids, via=Source.SOCKET, at=at)
        )

    async def _listen_to(self, agent_id: str) -> None:
        if self._channel is not None:
            await _if_up(_layer().group_add(agent_group(agent_id), self._channel))

    def _drop(self, case_id: UUID, waiter: Waiter) -> None:
        waiters = self._by_case.get(case_id)
        if waiters is None:
            return
        waiters.discard(waiter)
        if not waiters:
            del self._by_case[case_id]


async def _if_up(asking: Awaitable[None]) -> None:
    """Ask the layer something it may not be there for: the rows are looked at anyhow, and `_hear` joins again."""
    try:
        await asking
    except Exception:  # whatever the layer's client raises
        log.warning("the channel layer does not answer", exc_info=True)


def _layer() -> Any:
    layer = get_channel_layer()
    if layer is None:
        raise RuntimeError("CHANNEL_LAYERS is not configured.")
    return layer


hub = Hub()


@asynccontextmanager
async def waiting_room() -> AsyncIterator[None]:
    """Keep the hub as long as the server lives; at the end what was sent is written down first."""
    announce.hand_over_to(hub.written)
    try:
        with turns.short():
            async with hints.over_this_loop():
                yield
    finally:
        announce.hand_over_to(None)
        await hub.stop()
        await reads.close()
        await writes.close()
