"""Group commit: requests that wait at the same moment share one transaction, and each is answered after it.

One thread writes. While it commits, the next requests gather; nobody lingers to fill a batch. The queue is bounded by
what it holds, and a full one refuses before anything is parsed. A report after silence is counted with its rows; where
one commit follows the other, counters follow four times a second (`operations.counting`).
"""

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db import DatabaseError, OperationalError, close_old_connections, connection

from console.kit import turns
from console.kit.refusal import Kind, Refused
from telemetry.contract import CallsAnswer
from telemetry.operations.counting import count, count_later, count_what_waits
from telemetry.operations.intake import Submission
from telemetry.operations.known import what_is_known
from telemetry.operations.prepare import Knowledge
from telemetry.operations.receiving import receive
from telemetry.operations.sqlite import room_to_write
from telemetry.operations.words import Words

log = logging.getLogger(__name__)
FLUSH_ROWS = 5_000
MOST_ROWS = 50_000
MOST_BYTES = 64 * 1024 * 1024
RETRY_AFTER_S = 1.0
REFRESH_S = 5.0
COUNT_EVERY_S = 0.25
ALONE_AFTER_S = 0.05  # a commit of its own only where none comes by that could take it along
LULL_S = 0.02  # of silence
# So many requests at the same moment, with so few calls each: the loop and this thread share small work.
SEVERAL, FEW_EACH = 3, 4


class Busy(Refused):
    """The queue is full: more is reported than the database takes."""

    kind, code = Kind.TOO_MANY, "BUSY"


class NotStored(Refused):
    """The database did not take it; nothing of the request is stored."""

    kind, code = Kind.UNAVAILABLE, "NOT_STORED"


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A submission and whoever waits for its answer."""

    submission: Submission
    answer: "asyncio.Future[CallsAnswer]"
    loop: asyncio.AbstractEventLoop


@dataclass(slots=True)
class Stats:
    """What the writer of this process has done since it started."""

    rows: int = 0
    flushes: int = 0
    failures: int = 0
    refused: int = 0
    last_at: float = 0.0


class Writer:
    """The one thread that writes reports, and the queue before it."""

    def __init__(self, *, most_rows: int = MOST_ROWS, most_bytes: int = MOST_BYTES) -> None:
        self._most_rows, self._most_bytes = most_rows, most_bytes
        self._queue: deque[_Waiting] = deque()
        self._gathered: dict[asyncio.AbstractEventLoop, list[_Waiting]] = {}
        self._rows = self._bytes = 0
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._stopping = False
        self._known_at = self._counted_at = float("-inf")
        self._uncounted = True  # whoever wrote before may have left some
        self._words = Words()
        self._long_turns = turns.LongWhile()
        self.knowledge = Knowledge()
        self.stats = Stats()

    def start(self) -> None:
        """Start the thread, where it does not run."""
        with self._changed:
            if self._thread is None:
                self._stopping = False
                self._thread = threading.Thread(target=self._run, name="telemetry-writer", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """Write what waits, then end the thread."""
        with self._changed:
            thread, self._thread = self._thread, None
            self._stopping = True
            self._changed.notify()
        if thread is not None:
            thread.join()

    def check(self) -> None:
        """Refuse where the queue is full."""
        if self._rows >= self._most_rows or self._bytes >= self._most_bytes:
            self.stats.refused += 1
            raise Busy("More is reported than can be stored. Try again shortly.", retry_after_s=RETRY_AFTER_S)

    @property
    def waiting(self) -> int:
        """Count the rows in the queue."""
        return self._rows

    async def write(self, submission: Submission) -> CallsAnswer:
        """Give the answer after the commit. Raises Busy, and NotStored where the database fails."""
        self.check()
        loop = asyncio.get_running_loop()
        waiting = _Waiting(submission, loop.create_future(), loop)
        with self._changed:
            self._count(waiting, 1)
        if loop in self._gathered:
            self._gathered[loop].append(waiting)
        else:
            self._gathered[loop] = [waiting]
            loop.call_soon(self._hand_over, loop)
        return await waiting.answer

    def _hand_over(self, loop: asyncio.AbstractEventLoop) -> None:
        """Give the thread what came in one turn of a loop; one by one it would write the first of them alone."""
        with self._changed:
            self._queue.extend(self._gathered.pop(loop))
            self._changed.notify()
        if self._thread is None:
            self.start()

    def _count(self, waiting: _Waiting, sign: int) -> None:
        self._rows += sign * max(waiting.submission.received, 1)
        self._bytes += sign * waiting.submission.size

    def _run(self) -> None:
        try:
            while (batch := self._take()) is not None:
                self._refresh()
                if batch:
                    self._flush(batch)
                else:
                    self._count_what_waits()
        finally:
            self._long_turns.set(False)
            connection.close()

    def _take(self) -> list[_Waiting] | None:
        """Give what waits, at most one flush of it; nothing where it is time to count, None at the end."""
        with self._changed:
            while not self._queue:
                due = self._counted_at + COUNT_EVERY_S + ALONE_AFTER_S
                wait = due - time.monotonic() if self._uncounted else None
                if self._stopping or (wait is not None and wait <= 0):
                    return [] if self._uncounted else None
                if not self._changed.wait(min(wait or LULL_S, LULL_S) if self._long_turns.on else wait):
                    self._long_turns.set(False)
            batch: list[_Waiting] = []
            rows = 0
            while self._queue and rows < FLUSH_ROWS:
                waiting = self._queue.popleft()
                self._count(waiting, -1)
                rows += max(waiting.submission.received, 1)
                batch.append(waiting)
        self._long_turns.set(len(batch) >= SEVERAL and rows <= FEW_EACH * len(batch))
        return batch

    def _flush(self, batch: Sequence[_Waiting]) -> None:
        now = time.monotonic()
        counts = now - self._counted_at >= COUNT_EVERY_S
        try:
            answers = receive(
                [waiting.submission for waiting in batch],
                knowledge=self.knowledge,
                counting=count if counts else count_later,
                words=self._words,
            )
        except OperationalError:
            self.stats.failures += 1  # locked, full, gone: it would be the same for each of them alone
            log.exception("%s reports could not be stored", len(batch))
            close_old_connections()
            refusal = NotStored(
                "The database did not take the report. Send it again.", retry_after_s=RETRY_AFTER_S
            )
            _resolve_later(batch, [refusal] * len(batch))
        except Exception as exc:
            if len(batch) > 1:  # one bad request must not fail its neighbours
                for waiting in batch:
                    self._flush([waiting])
                return
            self.stats.failures += 1
            log.exception("a report could not be stored")
            close_old_connections()
            _resolve_later(batch, [exc])
        else:
            self._uncounted = not counts
            self._counted_at = now if counts else self._counted_at
            self.stats.flushes += 1
            self.stats.rows += sum(waiting.submission.received for waiting in batch)
            self.stats.last_at = time.time()
            _resolve_later(batch, answers)

    def _count_what_waits(self) -> None:
        """Count what was put off; where the database does not take it, it stays there and is tried again."""
        self._counted_at = time.monotonic()
        try:
            count_what_waits(at=datetime.now(UTC))
            self._uncounted = False
        except DatabaseError:
            log.exception("what was put off could not be counted")
            close_old_connections()
            self._uncounted = not self._stopping  # who starts next counts it
            self._counted_at += RETRY_AFTER_S

    def _refresh(self) -> None:
        """Look now and then at what people say and whether the connection is well: each costs a way to the database."""
        if time.monotonic() - self._known_at > REFRESH_S:
            close_old_connections()
            self._words = Words()
            try:
                room_to_write()  # the connection may be a new one
                self.knowledge = what_is_known()
            except DatabaseError:
                log.exception("what people said about tools could not be read")
            self._known_at = time.monotonic()


def _resolve_later(batch: Sequence[_Waiting], answers: Sequence[CallsAnswer | Exception]) -> None:
    """Wake each event loop once, with all the answers that it waits for."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[_Waiting, CallsAnswer | Exception]]] = {}
    for waiting, answer in zip(batch, answers, strict=True):
        by_loop.setdefault(waiting.loop, []).append((waiting, answer))
    for loop, pairs in by_loop.items():
        try:
            loop.call_soon_threadsafe(_resolve, pairs)
        except RuntimeError:  # the loop is closed: its server is gone, and nobody waits
            log.info("%s answers had nobody to go to", len(pairs))


def _resolve(pairs: Sequence[tuple[_Waiting, CallsAnswer | Exception]]) -> None:
    for waiting, answer in pairs:
        if waiting.answer.done():  # the client has gone; what it sent is stored all the same
            continue
        if isinstance(answer, Exception):
            waiting.answer.set_exception(answer)
        else:
            waiting.answer.set_result(answer)


writer = Writer()
