"""One task of an agent: its caps, its deadline, its journal, its trace, and the people it may ask."""

import contextvars
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from switchboard._ids import uuid7
from switchboard.call_filter import CallFilter
from switchboard.handover import HandOverDesk, OpenCase
from switchboard.journal import Journal
from switchboard.limits import Limits, LoopGuard
from switchboard.logical import LogicalCall
from switchboard.path import Raw
from switchboard.proposals import Offer, Plan
from switchboard.result import Result
from switchboard.runtime import Runtime, drive
from switchboard.saga import Order, Undone, compensate
from switchboard.settlement import Settled, Settlement
from switchboard.usefulness import Likelihoods
from switchboard.vocabulary import FailureClass, Outcome, Trigger
from switchboard.waiting import Deadline

if TYPE_CHECKING:
    from switchboard.toolbox import Toolbox

_REASONED = frozenset({FailureClass.INVALID_ARGS, FailureClass.EMPTY, FailureClass.HARD})

current: contextvars.ContextVar["Session | None"] = contextvars.ContextVar(
    "switchboard_session", default=None
)


@dataclass(frozen=True, slots=True)
class Final:
    """The last answer of a session. `incomplete` says why it is not the whole task, where it is not."""

    reply: str
    incomplete: str | None
    facts: tuple[str, ...]

    def for_model(self) -> str:
        """The instruction for the one last model turn."""
        known = "\n".join(self.facts) or "(nothing)"
        why = f" It stays incomplete: {self.incomplete}." if self.incomplete else ""
        return f"Make no further tool call.{why} Answer from these facts only:\n{known}"


class Session:
    """Made by `toolbox.session(...)`; use it with `with` or `async with`."""

    def __init__(  # noqa: PLR0913 - what a session is made of
        self,
        box: "Toolbox",
        *,
        session_id: str,
        goal: str,
        trace_id: str | None,
        limits: Limits,
        journal: Journal | None,
        named: bool = True,
    ) -> None:
        self.box = box
        self.id = session_id
        self.goal = goal
        self.trace_id = trace_id or os.urandom(16).hex()
        self.named = named
        self.journal = journal
        self.guard = LoopGuard(limits)
        self.deadline = Deadline(box.clock, limits.deadline_s)
        self.filter = CallFilter(box.clock, box.filter_mode)
        self.desk = HandOverDesk(self)
        self.under_way: set[str] = set()
        self.remotes: dict[str, Any] = {}
        self.turn_id: str | None = None
        self.reasoning: str | None = None
        self.facts: list[str] = []
        self._place = 0
        self._here: set[str] = set()
        self._told: dict[str, dict[str, Any]] = {}
        self._unsolved: dict[str, list[dict[str, Any]]] = {}
        self._limit_told = False
        self._token: contextvars.Token[Session | None] | None = None

    # -- calls ------------------------------------------------------------------------------------------------

    async def call(
        self,
        name: str,
        args: Raw | None = None,
        *,
        call_id: str | None = None,
        likelihoods: Likelihoods | None = None,
    ) -> Result:
        """Call a tool. `call_id` names the call for the journal; else its place in the session does.

        A read whose `likelihoods` say that its answer would not help is skipped.
        """
        return await self._call(self.box.waits, name, args, call_id, likelihoods)

    def call_sync(
        self,
        name: str,
        args: Raw | None = None,
        *,
        call_id: str | None = None,
        likelihoods: Likelihoods | None = None,
    ) -> Result:
        """As `call`, blocking. Not inside an event loop."""
        return drive(self._call(self.box.blocks, name, args, call_id, likelihoods))

    @contextmanager
    def turn(self, reasoning: str | None = None) -> Iterator[Self]:
        """One model turn. It is a round when it makes at least one call, however many."""
        self.guard.begin_turn()
        self.turn_id, self.reasoning = uuid7(), reasoning
        try:
            yield self
        finally:
            self.guard.end_turn()
            self.turn_id = self.reasoning = None

    @property
    def must_finalize(self) -> str | None:
        """Why no further call will be made, or None while the session may go on."""
        if self.guard.reached is None and self.deadline.passed:
            self.guard.deadline_passed()
        return self.guard.reached

    def finalize(self, reply: str = "") -> Final:
        """End the loop with what is known; nothing is lost at a cap."""
        reason = self.must_finalize
        self.guard.reached = self.guard.reached or "FINALIZED"
        return Final(reply, reason, tuple(self.facts))

    # -- people -----------------------------------------------------------------------------------------------

    @property
    def can_hand_over(self) -> bool:
        return self.box.client is not None and self.named

    @property
    def cases(self) -> tuple[OpenCase, ...]:
        """The cases that are not finished, those of an earlier process included."""
        return self.desk.cases()

    async def hand_over(
        self,
        title: str,
        *,
        trigger: Trigger | str = Trigger.REQUESTED,
        failure: Result | None = None,
        proposals: Sequence[Plan] = (),
        question: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> OpenCase:
        """Hand the task to people. `question` is the JSON schema of the answer; the steps done come along."""
        return await self.desk.open(
            self.box.waits,
            title,
            trigger=Trigger(trigger),
            failure=failure,
            proposals=proposals,
            question=question,
            **more,
        )

    def hand_over_sync(
        self,
        title: str,
        *,
        trigger: Trigger | str = Trigger.REQUESTED,
        failure: Result | None = None,
        proposals: Sequence[Plan] = (),
        question: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> OpenCase:
        """As `hand_over`, blocking."""
        return drive(
            self.desk.open(
                self.box.blocks, title, trigger=Trigger(trigger), failure=failure, proposals=proposals, question=question, **more
            )
        )  # fmt: skip

    async def settle(self, case: OpenCase, *, timeout: float | None = None) -> Settled:  # noqa: ASYNC109
        """Wait for people, run exactly what they decided, and report it. Repeating it after a crash does it once."""
        return await Settlement(self, self.box.waits, case).settle(timeout)

    def settle_sync(self, case: OpenCase, *, timeout: float | None = None) -> Settled:
        """As `settle`, blocking."""
        return drive(Settlement(self, self.box.blocks, case).settle(timeout))

    async def compensate(self, *, order: Order | None = None) -> Undone:
        """Take back what this session has done, last first."""
        return await compensate(self, self.box.waits, order=order)

    def compensate_sync(self, *, order: Order | None = None) -> Undone:
        """As `compensate`, blocking."""
        return drive(compensate(self, self.box.blocks, order=order))

    # -- life -------------------------------------------------------------------------------------------------

    def close(self, *, finished: bool = True) -> None:
        """Give the journal back. A session that is not `finished` may be opened again and goes on."""
        if self.journal is not None:
            self.journal.close(finished=finished and not self.cases)

    def __enter__(self) -> Self:
        self._token = current.set(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._token is not None:
            current.reset(self._token)
            self._token = None
        self.close(finished=kind is None)

    async def __aenter__(self) -> Self:
        await self.desk.send_pending(self.box.waits)
        return self.__enter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.__exit__(kind, exc, trace)

    # -- for the kit ------------------------------------------------------------------------------------------

    def next_id(self) -> str:
        """The name of the next call by its place: never from the clock."""
        self._place += 1
        return f"c{self._place}"

    def first_replay(self, call: LogicalCall) -> bool:
        """Whether this call was made by an earlier process and is replayed here for the first time."""
        if call.logical_id in self._here:
            return False
        self._here.add(call.logical_id)
        return True

    def told(self, call: LogicalCall, seen: dict[str, Any], result: Result) -> None:
        """Keep what the last answer may be made from, and what may have to be said again."""
        self._here.add(call.logical_id)
        if not self.named or call.inner:
            return
        self.facts.append(result.for_model())
        if result.error is not None:
            self._told[call.logical_id] = seen
        if call.exact is None and result.outcome is not Outcome.ESCALATED:
            self._by_model(seen, result)

    def tell_again(self, logical_id: str, *, action: str) -> None:
        """A call that people brought through is reported once more, as recovered by them."""
        seen = self._told.get(logical_id)
        if seen is None:
            return
        latency_s = (self.box.clock.now() - seen["started_at"]).total_seconds()
        recovery = {"by": "human", "action": action, "latency_ms": round(latency_s * 1000)}
        self.box.tell({**seen, "rev": 1, "outcome": "recovered", "recovery": recovery})

    def _by_model(self, seen: dict[str, Any], result: Result) -> None:
        """What failed under one reading of the task and worked under another was recovered by the model."""
        if result.error is not None and result.error.class_ in _REASONED:
            self._unsolved.setdefault(result.tool, []).append(seen)
        elif result.outcome in {Outcome.SUCCEEDED, Outcome.RECOVERED}:
            for earlier in self._unsolved.pop(result.tool, []):
                seen["retry_of"] = earlier["call_id"]
                latency_s = (self.box.clock.now() - earlier["started_at"]).total_seconds()
                recovery = {
                    "by": "model",
                    "action": "changed the call",
                    "latency_ms": round(latency_s * 1000),
                }
                self.box.tell({**earlier, "rev": 1, "outcome": "recovered", "recovery": recovery})

    async def at_limit(self, runtime: Runtime, result: Result) -> None:
        """The first call that a limit has refused goes to a person, once."""
        if self._limit_told or self.guard.reached is None or not self.guard.limits.person_at_limit:
            return
        self._limit_told = True
        if self.can_hand_over:
            offer = self.desk.offer(result, Trigger.LOOP_LIMIT) or Offer(
                f"{self.goal or self.id}: {result.error.message if result.error else 'at its limit'}",
                [Plan("finish", "continue", "Finish with what is known", recommended=True)],
            )
            await self.desk.open(
                runtime,
                offer.title,
                trigger=Trigger.LOOP_LIMIT,
                failure=result,
                proposals=offer.proposals,
                question=offer.question,
                key_parts=[Trigger.LOOP_LIMIT.value],
                **offer.more,
            )

    async def _call(
        self, runtime: Runtime, name: str, args: Raw | None, call_id: str | None, likelihoods: Likelihoods | None
    ) -> Result:
        given = {} if args is None else args
        return await self.box.path.make(
            runtime, self, name, given, logical_id=call_id, likelihoods=likelihoods
        )
