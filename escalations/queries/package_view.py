"""A stored package as the page shows it: what failed, what was done, what can be done."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

from console.kit.refusal import Refused
from escalations.domain import plan, schema
from escalations.domain.digest import args_digest
from escalations.queries.shapes import AttemptView, DoneStepView, FailureView, PlanStepView, ProposalView
from telemetry.vocabulary import SideEffect

Package = Mapping[str, Any]
HAPPENED = frozenset({"succeeded", "recovered", "degraded", "partial", "executed"})
PARTLY = frozenset({"partial"})
DOUBTFUL = frozenset({"unknown", "unknown_outcome"})


def failure_view(package: Package) -> FailureView | None:
    """Give what failed, with every attempt on one time line; None where the agent just asks."""
    failure = package.get("failure")
    if not failure:
        return None
    attempts = _attempts(failure.get("attempts") or ())
    return FailureView(
        call_id=failure["call_id"],
        tool=failure["tool"],
        failure_class=failure.get("class") or "",
        code=failure.get("code") or "",
        field=failure.get("field") or "",
        constraint=failure.get("constraint") or "",
        received=failure.get("received"),
        received_given=failure.get("received") is not None,
        hint=failure.get("hint") or "",
        message=failure.get("message") or "",
        reasoning=failure.get("reasoning") or "",
        args=failure.get("args"),
        side_effect=failure.get("side_effect") or "",
        idempotency_key=failure.get("idempotency_key") or "",
        http_status=failure.get("http_status"),
        attempts=attempts,
        total_ms=max((each.offset_ms + (each.duration_ms or 0) for each in attempts), default=0.0),
        breaker=failure.get("breaker"),
    )


def done_steps(package: Package) -> tuple[DoneStepView, ...]:
    """Give what was done, in order; an effect stands when it was written and is not known to have failed."""
    return tuple(_done(n, step) for n, step in enumerate(package.get("steps") or (), start=1))


def proposal_views(case_id: UUID, revision: int, package: Package) -> tuple[ProposalView, ...]:
    """Give the plans, each with the digest it would have if it were approved as it stands."""
    unknown = plan.unknown_effects(package)
    return tuple(
        _proposal(case_id, revision, n, proposal, unknown)
        for n, proposal in enumerate(plan.proposals_of(package))
    )


def when(text: object) -> datetime | None:
    """Read a stored time."""
    return datetime.fromisoformat(text) if isinstance(text, str) else None


def _attempts(stored: Sequence[Mapping[str, Any]]) -> tuple[AttemptView, ...]:
    made: list[AttemptView] = []
    first = when(stored[0].get("started_at")) if stored else None
    passed = 0.0
    for each in stored:
        started = when(each.get("started_at"))
        wait = float(each.get("wait_ms") or 0)
        passed += wait
        offset = (started - first).total_seconds() * 1000 if started and first else passed
        made.append(
            AttemptView(
                n=each["n"],
                started_at=started,
                offset_ms=max(offset, 0.0),
                duration_ms=each.get("duration_ms"),
                wait_ms=wait,
                http_status=each.get("http_status"),
                code=each.get("code") or "",
                failure_class=each.get("class") or "",
                message=each.get("message") or "",
            )
        )
        passed += each.get("duration_ms") or 0
    return tuple(made)


def _done(n: int, step: Mapping[str, Any]) -> DoneStepView:
    status, effect = step.get("status") or "", step.get("side_effect") or ""
    writes = effect != SideEffect.READ
    return DoneStepView(
        n=n,
        call_id=step["call_id"],
        tool=step["tool"],
        args=step.get("args"),
        result=step.get("result"),
        status=status,
        side_effect=effect,
        reversible=step.get("reversible"),
        stands=writes and status in HAPPENED,
        partly=writes and status in PARTLY,
        undone=False,
        unknown=writes and status in DOUBTFUL,
        at=when(step.get("at")),
    )


def _proposal(
    case_id: UUID,
    revision: int,
    n: int,
    proposal: plan.Proposal,
    unknown: Sequence[plan.UnknownEffect],
) -> ProposalView:
    why_not: Refused | None = None
    digest = ""
    try:
        final = plan.finalize(proposal, {}, decision_id=uuid5(case_id, str(revision)), unknown=unknown)
        digest = args_digest(case_id, revision, final.steps)
    except Refused as refusal:
        why_not = refusal
    return ProposalView(
        id=proposal.id,
        letter=chr(ord("A") + n) if n < 26 else str(n + 1),
        kind=proposal.kind,
        title=proposal.title,
        rationale=proposal.rationale,
        risk=proposal.risk,
        recommended=proposal.recommended,
        steps=tuple(_step(m, step, unknown) for m, step in enumerate(proposal.steps, start=1)),
        irreversible=sum(
            step.side_effect != SideEffect.READ and not step.reversible for step in proposal.steps
        ),
        reads_only=proposal.reads_only,
        digest=digest,
        why_not=why_not,
    )


def _step(n: int, step: plan.Step, unknown: Sequence[plan.UnknownEffect]) -> PlanStepView:
    return PlanStepView(
        n=n,
        id=step.id,
        tool=step.tool,
        args=step.args,
        args_schema=step.args_schema,
        side_effect=step.side_effect,
        reversible=step.reversible,
        compensates=step.compensates,
        reconciles=step.reconciles,
        note=step.note,
        depends_on=step.depends_on,
        run_if_step=step.run_if[0] if step.run_if else "",
        run_if_is=step.run_if[1] if step.run_if else "",
        idempotency_key=step.idempotency_key,
        resends_unknown=plan.resends_unknown(step, unknown),
        refs=tuple(schema.dotted(path) for path in schema.refs(step.args)),
    )
