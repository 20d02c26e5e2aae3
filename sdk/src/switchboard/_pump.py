"""What the reporting thread does next: send, wait, or keep on disk what cannot be sent now."""

import random
import zlib
from collections import deque
from typing import Protocol

from switchboard._batch import GZIPPED, MOST_BYTES, MOST_CALLS, Batch
from switchboard._errors import BadAnswer
from switchboard._queue import Queue, Stats
from switchboard._quiet import log, once
from switchboard._spool import Spool, Taken
from switchboard._talk import LONGEST_RETRY_AFTER_S, RETRIED, backoff, post, refusal
from switchboard._transport import Answer, NoAnswer, Request
from switchboard.clock import Clock
from switchboard.retry_after import retry_after_s

GATHER_S = 0.2
OUTAGE_FROM = 3  # failures in a row
CAP_S = 30.0
KEEP_EVERY_S = 5.0  # in an outage: so much is lost at most when the process is killed
LOOK_AGAIN_S = 30.0
KEPT_BACK = frozenset({401, 403, 404, 405}) | RETRIED  # a wrong key or address: a person can put that right


class Courier(Protocol):
    """Carries one request for the reporting thread. Raises NoAnswer."""

    def send(self, request: Request, *, timeout_s: float) -> Answer: ...

    def abort(self) -> None: ...


class Pump:
    """Knows no thread: `step` does one thing and says when to come back."""

    def __init__(
        self,
        *,
        queue: Queue,
        stats: Stats,
        courier: Courier,
        clock: Clock,
        spool: Spool | None,
        timeout_s: float,
    ) -> None:
        self._queue = queue
        self._stats = stats
        self._courier = courier
        self._clock = clock
        self._spool = spool
        self._timeout_s = timeout_s
        self._held: deque[Batch] = deque()
        self._next: tuple[str, bytes] | None = None
        self._failures = 0
        self._not_before = 0.0
        self._look_at = 0.0
        self._keep_at = 0.0
        self._stepping = False
        self._splitting = False

    @property
    def empty(self) -> bool:
        """Whether nothing waits, in memory or on disk."""
        # In the middle of a step calls may be in nobody's hands but its own.
        on_disk = self._spool is not None and self._spool.waiting()
        return not (self._stepping or self.waiting or on_disk)

    @property
    def waiting(self) -> int:
        """How many calls are in memory."""
        return sum(len(batch) for batch in tuple(self._held)) + len(self._queue) + (self._next is not None)

    @property
    def giving_up(self) -> bool:
        """Whether the last try failed and the calls are safer on disk than in another try."""
        return self._failures > 0 and self._spool is not None

    def once_more(self) -> None:
        """Try at once, whatever was before."""
        self._failures, self._not_before = 0, 0.0

    def forked(self) -> None:
        """Begin again in a child process: what is held is the parent's."""
        self._held.clear()
        self._next, self._stepping = None, False
        self.once_more()

    def step(self, *, hurry: bool = False) -> float | None:
        """Do one thing; give the seconds until the next, None when there is nothing to do."""
        self._stepping = True
        try:
            return self._step(hurry=hurry)
        finally:
            self._stepping = False

    def _step(self, *, hurry: bool) -> float | None:
        now = self._clock.monotonic()
        if now < self._not_before:
            return self._sit_out(now)
        # What is on disk is older than what is in memory, but for the parts of a batch that has just been split.
        if not self._splitting and (taken := self._from_disk(now, hurry=hurry)) is not None:
            return self._send_taken(taken)
        if not self._held:
            self._splitting = False
            if (gather := self._gathering(now, hurry=hurry)) is not None:
                return gather
            self._build()
        if not self._held:
            return LOOK_AGAIN_S if self._spool is not None else None
        self._send_held()
        return 0.0

    def keep(self) -> None:
        """Put everything in memory on disk; what finds no room there is dropped and counted."""
        while self._stash():
            pass
        lost = self.waiting
        self._stats.dropped += lost
        self._held.clear()
        self._queue.clear()
        self._next = None
        if lost and once("lost at close"):
            log.warning("%d calls could not be reported before the client was closed.", lost)

    # -- where the next batch comes from ------------------------------------------------------------------------

    def _from_disk(self, now: float, *, hurry: bool) -> Taken | None:
        if self._spool is None or (now < self._look_at and not hurry):
            return None
        taken = self._spool.take()
        if taken is None:
            self._look_at = now + LOOK_AGAIN_S
        return taken

    def _gathering(self, now: float, *, hurry: bool) -> float | None:
        waiting = len(self._queue)
        if hurry or not waiting or waiting >= MOST_CALLS:
            return None
        left = self._queue.oldest_at + GATHER_S - now
        return left if left > 0 else None

    def _build(self) -> None:
        items: list[bytes] = []
        ids: list[str] = []
        size = 0
        while len(items) < MOST_CALLS:
            self._next = self._next or self._queue.pop()
            if self._next is None or (items and size + len(self._next[1]) + 1 > MOST_BYTES):
                break
            call_id, item = self._next
            items.append(item)
            ids.append(call_id)
            size += len(item) + 1
            self._next = None
        if items:
            self._held.append(Batch(tuple(items), tuple(ids)))
        self._queue.oldest_at = self._clock.monotonic()

    # -- sending ------------------------------------------------------------------------------------------------

    def _send_held(self) -> None:
        batch = self._held[0]
        body, headers = batch.body()
        answer = self._post(body, headers)
        if answer is None:
            self._stash_in_outage()
        elif answer.status < 300:
            self._held.popleft()
            self._count(answer, batch.ids)
        else:
            self._held.popleft()
            self._split(batch, answer)

    def _send_taken(self, taken: Taken) -> float:
        answer = self._post(taken.body, GZIPPED)
        if answer is None:
            taken.give_back()
            return 0.0
        taken.done()
        if answer.status < 300:
            self._count(answer, ())
            return 0.0
        try:
            self._split(Batch.read(taken.body), answer)
        except (ValueError, OSError, EOFError, zlib.error, KeyError, TypeError, AttributeError):
            self._stats.dropped += 1
            log.warning("A file of kept calls could not be read and was removed.")
        return 0.0

    def _post(self, body: bytes, headers: dict[str, str]) -> Answer | None:
        """Give the answer about these calls, None where there is none yet and the time to wait is set."""
        try:
            answer = self._courier.send(post("/api/v1/calls", body, headers), timeout_s=self._timeout_s)
        except NoAnswer as exc:
            self._failed(backoff(self._failures + 1, cap=CAP_S), str(exc))
            return None
        if answer.status not in KEPT_BACK:
            self._failures = 0
            return answer
        told = retry_after_s(answer.headers, at=self._clock.now())
        pause = backoff(self._failures + 1, cap=CAP_S)
        if told is not None:
            pause = min(told, LONGEST_RETRY_AFTER_S) * random.uniform(1.0, 1.1)  # noqa: S311
        elif answer.status not in RETRIED:
            pause = CAP_S
        if answer.status not in RETRIED and once("refused altogether"):
            log.warning(
                "The console takes no call of this key: %s They are kept and sent later.", refusal(answer)
            )
        self._failed(pause, str(refusal(answer)))
        return None

    def _failed(self, pause: float, reason: str) -> None:
        self._failures += 1
        now = self._clock.monotonic()
        self._not_before = now + pause
        self._keep_at = now + KEEP_EVERY_S
        if self._failures >= OUTAGE_FROM and once("outage"):
            log.warning("The console does not take calls (%s). They are kept and sent later.", reason)

    def _count(self, answer: Answer, ids: tuple[str, ...]) -> None:
        try:
            said = answer.mapping()
        except BadAnswer:
            said = {"accepted": len(ids)}  # it said 2xx; what it says about each is for the log only
        self._stats.stored += _number(said.get("accepted"))
        self._stats.duplicate += _number(said.get("duplicate"))
        self._stats.corrected += _number(said.get("corrected"))
        rejected = said.get("rejected")
        for each in rejected if isinstance(rejected, list) else ():
            self._stats.rejected += 1
            if isinstance(each, dict) and once(f"rejected {each.get('code')}"):
                log.warning(
                    "The console rejected call %s: %s %s",
                    each.get("call_id"),
                    each.get("code"),
                    each.get("detail"),
                )

    def _split(self, batch: Batch, answer: Answer) -> None:
        """A whole batch was refused: find the call it is about, so that the others are not lost with it."""
        if len(batch) > 1:
            self._held.extendleft(reversed(batch.halves()))
            self._splitting = True
            return
        self._stats.rejected += 1
        no = refusal(answer)
        if once(f"refused {no.code}"):
            log.warning("The console refused call %s: %s", batch.ids[0], no)

    # -- an outage ----------------------------------------------------------------------------------------------

    def _sit_out(self, now: float) -> float:
        due = now >= self._keep_at or len(self._queue) >= MOST_CALLS
        if self._failures >= OUTAGE_FROM and due:
            self._keep_at = now + KEEP_EVERY_S
            self._stash()
        left = self._not_before - now
        return (
            min(left, max(0.0, self._keep_at - now))
            if self._failures >= OUTAGE_FROM and self._spool
            else left
        )

    def _stash_in_outage(self) -> None:
        if self._failures >= OUTAGE_FROM:
            self._stash()

    def _stash(self) -> bool:
        """Move the oldest batch in memory to disk; False when there is none or no room."""
        if not self._held:
            self._build()
        if not self._held or self._spool is None or not self._spool.put(self._held[0].squeezed()):
            return False
        self._stats.spooled += len(self._held.popleft())
        self._look_at = 0.0
        return True


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
