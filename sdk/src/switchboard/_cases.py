"""A case in the agent's hands: wait for people, acknowledge, report, revise, withdraw."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypedDict, Unpack

from switchboard._desk import CaseState, Desk
from switchboard._engine import Engine
from switchboard.wire import CaseFailure, Decision, DoneStep, OnTimeout, Proposal, Question, StepResult
from switchboard.wire.cases import ActionWord, ExecutionStatus, Severity, TriggerWord

DEADLINE_S = 60.0


class CaseFields(TypedDict, total=False):
    """What a case can say. `escalate` needs title, goal and trigger; `revise` only what changes."""

    title: str
    goal: str
    trigger: TriggerWord
    trace_id: str
    session_id: str | None
    severity: Severity
    failure: CaseFailure | Mapping[str, Any] | None
    steps: Sequence[DoneStep | Mapping[str, Any]]
    proposals: Sequence[Proposal | Mapping[str, Any]]
    question: Question | Mapping[str, Any] | None
    allowed: Sequence[ActionWord] | None
    expires_at: datetime | None
    on_timeout: OnTimeout | Mapping[str, Any] | None
    context: Mapping[str, Any] | None
    attempt: int
    predecessor: str | None


class CaseFacts:
    """What is known of a case without asking."""

    def __init__(self, desk: Desk, engine: Engine, state: CaseState) -> None:
        self._desk = desk
        self._engine = engine
        self._state = state

    @property
    def id(self) -> str:
        """The case's id at the console."""
        return self._state.id

    @property
    def key(self) -> str:
        """The key it was opened with. Keep it: `client.case(key)` finds the case again after a restart."""
        return self._state.key

    @property
    def revision(self) -> int:
        """The revision that is waited for."""
        return self._state.revision

    @property
    def reference(self) -> str:
        """What people call it, such as C-4182."""
        return self._state.reference

    @property
    def url(self) -> str:
        """The page people see."""
        return self._state.url

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.reference} revision {self.revision}>"


class Case(CaseFacts):
    """A case, for code without an event loop. Every verb may be repeated and does its work once."""

    def wait(self, timeout: float | None = None) -> Decision:
        """Wait for people, through disconnects, `timeout` seconds at most.

        Raises Undecided or Unreachable after the timeout, Refused where the console will not tell, and DigestMismatch
        for steps that nobody decided about. Silence is never an answer.
        """
        return self._desk.wait(self._state, timeout)

    def ack(self, decision: Decision, fence: int | None = None, *, deadline_s: float = DEADLINE_S) -> None:
        """Say that the decision has arrived; it is not sent again. Raises Conflict for a lower `fence` than another's."""
        self._engine.run(self._desk.ack(self._state, decision, fence, deadline_s=deadline_s))

    def report(
        self,
        decision: Decision,
        status: ExecutionStatus,
        steps: Sequence[StepResult | Mapping[str, Any]] = (),
        *,
        report_id: str | None = None,
        deadline_s: float = DEADLINE_S,
    ) -> str:
        """Say what really happened, from the tools' results. Gives the report's id."""
        work = self._desk.report(self._state, decision, status, steps, report_id, deadline_s=deadline_s)
        return self._engine.run(work)

    def revise(self, *, deadline_s: float = DEADLINE_S, **changes: Unpack[CaseFields]) -> None:
        """Open the next revision, before a decision or after a partial or failed outcome."""
        self._engine.run(self._desk.revise(self._state, changes, deadline_s=deadline_s))

    def cancel(self, reason: str = "", *, deadline_s: float = DEADLINE_S) -> None:
        """Withdraw the case: nobody has to decide it any more."""
        self._engine.run(self._desk.cancel(self._state, reason, deadline_s=deadline_s))


class AsyncCase(CaseFacts):
    """A case, for coroutines; as `Case` otherwise."""

    async def wait(self, timeout: float | None = None) -> Decision:  # noqa: ASYNC109
        """Wait for people, as `Case.wait`. A wait is one small object: thousands may wait at once."""
        return await self._desk.wait_async(self._state, timeout)

    async def ack(
        self, decision: Decision, fence: int | None = None, *, deadline_s: float = DEADLINE_S
    ) -> None:
        """Say that the decision has arrived, as `Case.ack`."""
        await self._engine.join(self._desk.ack(self._state, decision, fence, deadline_s=deadline_s))

    async def report(
        self,
        decision: Decision,
        status: ExecutionStatus,
        steps: Sequence[StepResult | Mapping[str, Any]] = (),
        *,
        report_id: str | None = None,
        deadline_s: float = DEADLINE_S,
    ) -> str:
        """Say what really happened, as `Case.report`."""
        work = self._desk.report(self._state, decision, status, steps, report_id, deadline_s=deadline_s)
        return await self._engine.join(work)

    async def revise(self, *, deadline_s: float = DEADLINE_S, **changes: Unpack[CaseFields]) -> None:
        """Open the next revision, as `Case.revise`."""
        await self._engine.join(self._desk.revise(self._state, changes, deadline_s=deadline_s))

    async def cancel(self, reason: str = "", *, deadline_s: float = DEADLINE_S) -> None:
        """Withdraw the case, as `Case.cancel`."""
        await self._engine.join(self._desk.cancel(self._state, reason, deadline_s=deadline_s))
