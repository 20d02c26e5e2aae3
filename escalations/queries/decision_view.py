"""Decisions as the page shows them: what was decided, step by step, what became of it, and when."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from escalations.domain import plan
from escalations.domain.lifecycle import UNDECIDED
from escalations.models import Case, Outcome
from escalations.models import Decision as Row
from escalations.queries.shapes import DecisionView, FinalStepView, Milestone
from escalations.vocabulary import ATTENTION, Action, Decision, DecisionKind, Execution

GOOD = frozenset({Execution.EXECUTED, Execution.NEVER_EXECUTED})


def decision_view(row: Row, package: Mapping[str, Any], outcomes: Sequence[Outcome]) -> DecisionView:
    """Give one decision with the latest word about each of its steps; `outcomes` are this decision's, oldest first."""
    proposals = {proposal.id: proposal for proposal in plan.proposals_of(package)}
    chosen = proposals.get(row.proposal_id)
    steps = _steps(row, chosen, outcomes)
    return DecisionView(
        id=row.pk,
        revision=row.revision,
        kind=DecisionKind(row.kind),
        state=Decision(row.state),
        action=Action(row.action) if row.action else None,
        by_kind=row.by_kind,
        by_id=row.by_id,
        by_name=row.by_name,
        proposal_id=row.proposal_id,
        proposal_title=chosen.title if chosen else "",
        steps=steps,
        edits=sum(step.edited or not step.run for step in steps),
        answered=row.answered,
        answer=row.answer,
        message=row.message,
        reason=row.reason,
        args_digest=row.args_digest,
        decided_at=row.decided_at,
        deliver_after=row.deliver_after,
        delivered_at=row.delivered_at,
        delivered_by=row.delivered_by,
        acknowledged_at=row.acknowledged_at,
        reported_at=row.reported_at,
        execution=Execution(row.execution),
        webhook_at=row.webhook_at,
        webhook_tries=row.webhook_tries,
        webhook_error=row.webhook_error,
    )


def milestones(case: Case, decision: Row | None) -> tuple[Milestone, ...]:
    """Give opened → decided → delivered → acknowledged → outcome; what has not come says `next`."""
    undecided = Decision(case.decision) in UNDECIDED
    opened = _line("opened", "now" if undecided else "done", case.opened_at, None, by=case.agent_name)
    if undecided or decision is None:
        return (
            opened,
            *(
                _line(name, "next", None, None)
                for name in ("decided", "delivered", "acknowledged", "outcome")
            ),
        )
    since = decision.decided_at
    return (
        opened,
        _line("decided", "done", since, None, word=decision.state, by=decision.by_name),
        _line(
            "delivered",
            _reached(decision.delivered_at),
            decision.delivered_at,
            since,
            by=decision.delivered_by,
        ),
        _line("acknowledged", _reached(decision.acknowledged_at), decision.acknowledged_at, since),
        *_outcome(case, decision),
    )


def _outcome(case: Case, decision: Row) -> tuple[Milestone, ...]:
    execution = Execution(decision.execution)
    if execution is Execution.NOT_APPLICABLE:
        return (_line("outcome", "done", None, None, word=execution),)
    if execution in GOOD:
        return (_line("outcome", "done", decision.reported_at, decision.decided_at, word=execution),)
    if execution in ATTENTION:
        told = _line("outcome", "bad", decision.reported_at, decision.decided_at, word=execution)
        if case.needs_attention:
            return (told, _line("attention", "now", None, None))
        return (told, _line("attention", "done", case.resolved_at, None, by=case.resolved_by))
    running = "now" if execution is Execution.EXECUTING else "next"
    word = execution if execution is Execution.EXECUTING else ""
    return (_line("outcome", running, decision.reported_at, decision.decided_at, word=word),)


def _reached(at: datetime | None) -> str:
    return "done" if at is not None else "next"


def _line(
    name: str, state: str, at: datetime | None, since: datetime | None, *, word: str = "", by: str = ""
) -> Milestone:
    after = at - since if at is not None and since is not None else None
    return Milestone(name=name, state=state, at=at, after=after, word=str(word), by=by)


def _steps(row: Row, chosen: plan.Proposal | None, outcomes: Sequence[Outcome]) -> tuple[FinalStepView, ...]:
    proposed = {step.id: step for step in chosen.steps} if chosen else {}
    latest: dict[str, Mapping[str, Any]] = {}
    for outcome in outcomes:
        latest |= {told["id"]: told for told in outcome.steps}
    return tuple(
        _step(n, step, proposed.get(step["id"]), latest.get(step["id"], {}))
        for n, step in enumerate(row.steps, start=1)
    )


def _step(
    n: int, step: Mapping[str, Any], proposed: plan.Step | None, told: Mapping[str, Any]
) -> FinalStepView:
    run_if = step.get("run_if") or {}
    return FinalStepView(
        n=n,
        id=step["id"],
        tool=step["tool"],
        args=step["args"],
        proposed_args=proposed.args if proposed else None,
        run=step["run"],
        edited=bool(step.get("edited")),
        side_effect=step.get("side_effect") or "",
        reversible=bool(step.get("reversible")),
        idempotency_key=step["idempotency_key"],
        depends_on=tuple(step.get("depends_on") or ()),
        run_if_step=run_if.get("step", ""),
        run_if_is=run_if.get("is", ""),
        compensates=step.get("compensates") or "",
        status=told.get("status") or "",
        result=told.get("result"),
        failure=told.get("failure"),
        items=tuple(told.get("items") or ()),
    )
