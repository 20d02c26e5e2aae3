"""One task of an agent: its caps, its deadline, its journal, its trace, and the people it may ask."""

import contextvars
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from types import TracebackType
from typing import Any, Self

from switchboard._ids import uuid7
from switchboard.arguments import Raw
from switchboard.handover import OpenCase
from switchboard.history import Final
from switchboard.path import Path
from switchboard.plans import Plan
from switchboard.result import Result
from switchboard.runtime import drive
from switchboard.saga import Order, Undone, compensate
from switchboard.settlement import Settled, Settlement
from switchboard.usefulness import Likelihoods
from switchboard.vocabulary import Trigger
from switchboard.work import Work

current: contextvars.ContextVar["Session | None"] = contextvars.ContextVar(
    "switchboard_session", default=None
)


class Session(Work):
    """Made by `toolbox.session(...)`; use it with `with` or `async with`."""

    _token: "contextvars.Token[Session | None] | None" = None

    @cached_property  # made with the first call
    def path(self) -> Path:
        """The way of every call of this session."""
        return Path(self)

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
        given = {} if args is None else args
        return await self.path.make(self.box.waits, name, given, logical_id=call_id, likelihoods=likelihoods)

    def call_sync(
        self,
        name: str,
        args: Raw | None = None,
        *,
        call_id: str | None = None,
        likelihoods: Likelihoods | None = None,
    ) -> Result:
        """As `call`, blocking. Not inside an event loop."""
        given = {} if args is None else args
        return drive(
            self.path.make(self.box.blocks, name, given, logical_id=call_id, likelihoods=likelihoods)
        )

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
        return Final(reply, reason, self.history.facts)

    # -- people -----------------------------------------------------------------------------------------------

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

    async def revise(
        self,
        case: OpenCase,
        *,
        title: str | None = None,
        proposals: Sequence[Plan] | None = None,
        question: Mapping[str, Any] | None = None,
        failure: Result | None = None,
        **more: Any,
    ) -> OpenCase:
        """Put the next revision of a case: before anybody has decided, or after a partial or failed outcome.

        What is not given stays as it is; the steps done by now come along. Raises Refused where it is too late.
        """
        changes = self._changes(case, title=title, proposals=proposals, question=question, failure=failure)
        return await self.desk.revise(self.box.waits, case, changes | more)

    def revise_sync(
        self,
        case: OpenCase,
        *,
        title: str | None = None,
        proposals: Sequence[Plan] | None = None,
        question: Mapping[str, Any] | None = None,
        failure: Result | None = None,
        **more: Any,
    ) -> OpenCase:
        """As `revise`, blocking."""
        changes = self._changes(case, title=title, proposals=proposals, question=question, failure=failure)
        return drive(self.desk.revise(self.box.blocks, case, changes | more))

    async def settle(self, case: OpenCase, *, timeout: float | None = None) -> Settled:  # noqa: ASYNC109  # as on a case: the wait is the point
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
        drive(self.desk.send_pending(self.box.blocks))
        return self._entered()

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._token is not None:
            current.reset(self._token)
            self._token = None
        self.close(finished=kind is None)

    async def __aenter__(self) -> Self:
        await self.desk.send_pending(self.box.waits)
        return self._entered()

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.__exit__(kind, exc, trace)

    def _entered(self) -> Self:
        self._token = current.set(self)
        return self

    def _changes(
        self,
        case: OpenCase,
        *,
        title: str | None,
        proposals: Sequence[Plan] | None,
        question: Mapping[str, Any] | None,
        failure: Result | None,
    ) -> dict[str, Any]:
        changes = self.desk.anew(case.key, proposals, failure)
        if title is not None:
            changes["title"] = title
        if question is not None:
            changes["question"] = {"response_schema": dict(question)}
        return changes
