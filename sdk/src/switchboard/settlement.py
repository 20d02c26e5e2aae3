"""From a decision to its outcome: wait, acknowledge, run exactly the decided steps, say what really happened."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from switchboard._canonical import digest
from switchboard._errors import Conflict, DigestMismatch, Refused, Unreachable
from switchboard.console import ask, side
from switchboard.failure import SessionLost, ToolError
from switchboard.handover import HandOverDesk, OpenCase
from switchboard.journal import Entry, HandedOver, State
from switchboard.logical import key_of
from switchboard.plan_end import ended_as, reconciles, status_of, step_told, why_not
from switchboard.plans import Plan
from switchboard.result import Result
from switchboard.revising import about_the_rest, rest_of
from switchboard.runtime import Runtime
from switchboard.stored import reconciled
from switchboard.task import Decided
from switchboard.vocabulary import Executed, FailureClass, Outcome, RecoveredBy
from switchboard.wire import DecidedStep, Decision, StepResult
from switchboard.work import Work

LEAVE_IT = Plan("leave", "continue", "Leave it as it is", rationale="Nothing more is done.")
_log = logging.getLogger("switchboard")
_SLICE_S = 20.0  # well inside the journal's lease, which is renewed between slices


@dataclass(frozen=True, slots=True)
class Settled:
    """What people said and what came of it. `action` is a person's word, or expired, cancelled, superseded.

    `next` is the case again where the plan ended halfway: the rest is before people as its next revision.
    """

    action: str
    status: str | None = None
    results: Mapping[str, Result] = field(default_factory=dict)
    answer: Any = None
    message: str = ""
    by: str = ""
    proposal_id: str | None = None
    next: OpenCase | None = None

    @property
    def approved(self) -> bool:
        """Somebody said yes."""
        return self.action in {"approve", "edit"}


class Settlement:
    """Settles one case of a session. Everything it does is in the journal first, so that it can go on after a crash."""

    def __init__(self, session: Work, runtime: Runtime, case: OpenCase) -> None:
        self._session = session
        self._runtime = runtime
        self._desk: HandOverDesk = session.desk
        self._case = case

    async def settle(self, timeout: float | None) -> Settled:  # noqa: ASYNC109  # the same
        """Wait and do what was decided. Raises Undecided or Unreachable after `timeout`; nothing was approved then."""
        kept = self._desk.kept(self._case.key)
        remote = None if kept.reported else await self._remote()
        decision = await self._decision(remote, timeout)
        kept = self._desk.kept(self._case.key)
        by = decision.by.name if decision.by else ""
        said = {
            "answer": decision.answer,
            "message": decision.message,
            "by": by,
            "proposal_id": decision.proposal_id,
        }
        if kept.reported:
            results = await self._run(None, decision) if decision.approved else {}
            return Settled(str(decision.action or decision.kind), status=kept.status, results=results, **said)
        if not decision.approved:
            await self._acknowledge(remote, decision)
            if decision.revision == kept.revision:  # else a later revision has taken its place meanwhile
                self._answered(kept, decision)
                self._desk.journal.hand_over(replace(kept, reported=True))
            return Settled(str(decision.action or decision.kind), **said)
        if kept.status is None:
            self._intend(decision)
            await self._acknowledge(remote, decision)
            kept = replace(kept, status="acknowledged")
            self._desk.journal.hand_over(kept)
        results = await self._run(remote, decision)
        status = status_of(decision.to_run, results)
        await self._report(remote, decision, status, results)
        rest = await self._put_the_rest(kept, decision, results) if status == "partial" else None
        if rest is None:
            self._desk.journal.hand_over(replace(kept, status=status, reported=True))
        self._close_the_call(decision, results)
        return Settled(str(decision.action), status=status, results=results, next=rest, **said)

    # -- what was said ----------------------------------------------------------------------------------------

    async def _remote(self) -> Any:
        case = await self._desk.send(self._runtime, self._case)
        if case.id is None:
            raise Unreachable(f"Case {case.key} could not be handed over yet. Nothing was approved.")
        if case.key not in self._session.remotes:
            client = self._session.box.client
            if client is None:
                raise Unreachable("This toolbox has no console.")
            self._session.remotes[case.key] = await ask(side(self._runtime, client), "case", case.id)
        return self._session.remotes[case.key]

    async def _decision(self, remote: Any, timeout: float | None) -> Decision:  # noqa: ASYNC109  # the same
        """The decision: from the journal after a crash, else from the console. Waiting costs the session no time."""
        kept = self._desk.kept(self._case.key)
        if kept.decision is not None:
            return Decision.read(kept.decision)
        clock = self._session.box.clock
        began = clock.monotonic()
        end = None if timeout is None else began + timeout
        try:
            decision = await self._until(remote, end)
        finally:
            self._session.deadline.push_back(clock.monotonic() - began)
        kept = self._desk.kept(self._case.key)
        if kept.case_id != decision.escalation_id:
            raise DigestMismatch(
                f"Decision {decision.decision_id} is about another case. Nothing may be run."
            )
        if decision.revision == kept.revision:
            self._desk.journal.hand_over(replace(kept, decision=decision.model_dump(mode="json")))
        return decision

    async def _until(self, remote: Any, end: float | None) -> Decision:
        clock = self._session.box.clock
        while True:
            slice_s = _SLICE_S if self._desk.journal.leased else None
            left = slice_s if end is None else max(0.0, min(slice_s or end, end - clock.monotonic()))
            try:
                decision: Decision = await ask(remote, "wait", timeout=left)
            except Unreachable:  # Undecided is one of them
                if end is not None and clock.monotonic() >= end:
                    raise
                self._desk.journal.renew()
            else:
                return decision

    async def _acknowledge(self, remote: Any, decision: Decision) -> None:
        try:
            await ask(remote, "ack", decision, fence=self._desk.journal.fence)
        except Conflict as exc:
            raise SessionLost(f"A later process has this session: {exc}") from exc

    # -- what is done -----------------------------------------------------------------------------------------

    def _intend(self, decision: Decision) -> None:
        box, at = self._session.box, self._session.box.clock.now()
        entries = []
        for step in decision.to_run:
            tool = box.tools.get(step.tool)
            if tool is None:
                continue
            logical_id = self._logical_id(decision, step)
            entries.append(
                Entry(
                    logical_id=logical_id,
                    call_id=digest([decision.decision_id, step.id])[:32],
                    tool=tool.name,
                    version=tool.version,
                    effect=tool.effect,
                    key=key_of(self._session.id, logical_id, tool),
                    fingerprint="",
                    args=step.args,
                    state=State.INTENDED,
                    at=at,
                )
            )
        if self._session.journal is not None:
            self._session.journal.intend(tuple(entries))

    async def _run(self, remote: Any, decision: Decision) -> dict[str, Result]:
        """The steps in their order; each is made once, whatever happened before."""
        results: dict[str, Result] = {}
        for step in decision.to_run:
            results[step.id] = await self._step(decision, step, results)
            if remote is not None and step is not decision.to_run[-1]:
                await self._progress(remote, decision, results)
        return results

    async def _step(self, decision: Decision, step: DecidedStep, results: Mapping[str, Result]) -> Result:
        if (why := why_not(step, results)) is not None:
            error = ToolError(FailureClass.HARD, "NOT_RUN", why, executed=Executed.NO)
            return Result("", step.tool, Outcome.SKIPPED, step.args, error=error)
        try:
            args = self._desk.revealed(step.args)
        except KeyError as exc:
            error = ToolError(
                FailureClass.HARD, "UNKNOWN_REFERENCE", f"{exc} is not in the journal.", executed=Executed.NO
            )
            return Result("", step.tool, Outcome.FAILED, step.args, error=error)
        key = step.idempotency_key or digest([decision.decision_id, step.id])
        return await self._session.path.make(
            self._runtime,
            step.tool,
            args,
            logical_id=self._logical_id(decision, step),
            exact=Decided(key),
        )

    def _logical_id(self, decision: Decision, step: DecidedStep) -> str:
        return f"{decision.decision_id}/{step.id}"

    # -- what is said about it --------------------------------------------------------------------------------

    async def _progress(self, remote: Any, decision: Decision, results: Mapping[str, Result]) -> None:
        try:
            await self._report(remote, decision, "executing", results)
        except Unreachable:
            return  # the final report says it all again

    async def _report(
        self, remote: Any, decision: Decision, status: str, results: Mapping[str, Result]
    ) -> None:
        steps = [StepResult.model_validate(step_told(name, result)) for name, result in results.items()]
        await ask(remote, "report", decision, status, steps)

    async def _put_the_rest(
        self, kept: HandedOver, decision: Decision, results: Mapping[str, Result]
    ) -> OpenCase | None:
        """What was decided and is not done goes before people again; None where nothing is left to do."""
        plan = rest_of(kept, decision, results)
        if plan is None:
            return None
        failure = next((each for each in results.values() if ended_as(each) == "failed"), None)
        changes = about_the_rest(kept, plan) | self._desk.anew(kept.key, [plan, LEAVE_IT], failure)
        try:
            return await self._desk.revise(self._runtime, self._case, changes)
        except Refused as exc:
            _log.warning("The rest of case %s could not be put before people: %s", kept.key, exc)
            return None

    def _close_the_call(self, decision: Decision, results: Mapping[str, Result]) -> None:
        """The failed call itself: what became of it is known now, and people brought it through."""
        kept = self._desk.kept(self._case.key)
        if kept.logical_id is not None and kept.status == "executed":
            self._session.history.tell_again(kept.logical_id, action=str(decision.action))
        entry = self._unknown(kept)
        if entry is None:
            return
        checks = [step.id for step in decision.to_run if reconciles(kept, decision, step.id, entry.call_id)]
        seen = next((results[name] for name in checks if name in results), None)
        if seen is not None and seen.ok:
            self._known(entry, happened=True, data=seen.data)
        elif seen is not None and seen.error is not None and seen.error.class_ is FailureClass.EMPTY:
            self._known(entry, happened=False, data=None)

    def _answered(self, kept: HandedOver, decision: Decision) -> None:
        """A person has looked and says whether an unknown call happened, and with what result."""
        entry, answer = self._unknown(kept), decision.answer
        if entry is None or not isinstance(answer, Mapping) or not isinstance(answer.get("happened"), bool):
            return
        self._known(entry, happened=answer["happened"], data=answer.get("value"))
        if kept.logical_id is not None and answer["happened"]:
            self._session.history.tell_again(kept.logical_id, action=str(decision.action))

    def _unknown(self, kept: HandedOver) -> Entry | None:
        journal = self._session.journal
        entry = journal.look_up(kept.logical_id) if journal and kept.logical_id else None
        return entry if entry is not None and entry.state is State.UNKNOWN else None

    def _known(self, entry: Entry, *, happened: bool, data: Any) -> None:
        told = reconciled(entry, happened=happened, data=data, by=RecoveredBy.HUMAN)
        self._desk.journal.reconcile(entry.logical_id, told)
