"""What became of a decision: the agent's reports, its silence, and what people close by hand."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from console.kit.actor import SYSTEM, Actor
from console.kit.canonical import digest
from console.kit.clean import clean, clean_text, visible
from console.kit.refusal import FieldError, Kind, Refused
from escalations import contract
from escalations.domain import lifecycle
from escalations.models import Case, Decision, Note, Outcome
from escalations.operations.delivery import check_digest, decision_out, follow
from escalations.operations.opening import IdempotencyConflict
from escalations.operations.rows import load, move, report_within
from escalations.queries.states import state_of
from escalations.queries.wire import escalation
from escalations.vocabulary import Execution, Reported, Source, Verb


class BadReport(Refused):
    """The report speaks of steps that were not decided."""

    kind, code = Kind.INVALID, "BAD_REPORT"


class NoteNeeded(Refused):
    """Closing by hand leaves a word for the next person."""

    kind, code = Kind.INVALID, "NOTE_NEEDED"


@transaction.atomic(durable=True)
def report_outcome(
    *, case_id: UUID, said: contract.ReportOutcome, by: Actor, at: datetime, source: Source = Source.API
) -> contract.OutcomeAccepted:
    """Store what the agent says it did, from tool results; the same report again changes nothing."""
    row = load(case_id, by=by, verb=Verb.REPORT)
    told = clean(said.model_dump(mode="json", by_alias=True), text_limit=1 << 24)
    content = digest(told.value)
    if (known := Outcome.objects.filter(case=row, report_id=said.report_id).first()) is not None:
        if known.content_digest != content:
            raise IdempotencyConflict("This report id was used for another report.")
        return _accepted(row, said, duplicate=True)
    decision = decision_out(row, said.decision_id, at=at)
    check_digest(decision, said.args_digest)
    _check_steps(decision, said)
    if decision.revision != row.revision:
        raise lifecycle.StaleRevision(
            f"The case has gone on to revision {row.revision}; revision {decision.revision} has its outcome."
        )
    execution = lifecycle.report(Execution(decision.execution), said.status)
    Outcome.objects.create(
        case=row,
        decision=decision,
        report_id=said.report_id,
        content_digest=content,
        status=said.status,
        steps=clean(said.model_dump(mode="json", by_alias=True)["steps"]).value,
        flags=sorted(told.flags),
        reported_at=at,
    )
    _store(row, decision, execution, said, by=by, at=at, source=source)
    return _accepted(row, said, duplicate=False)


@transaction.atomic(durable=True)
def no_report_one(*, at: datetime) -> bool:
    """Say of the decision that has been silent for longest that nobody knows; say whether there was one."""
    due = Case.objects.filter(report_due_at__lte=at).order_by("report_due_at", "id")
    row = due.select_for_update(skip_locked=True).first()
    if row is None:
        return False
    state = state_of(row)
    if lifecycle.why_not_silence(state) is not None:  # it has its outcome: only the column was left behind
        Case.objects.filter(pk=row.pk).update(report_due_at=None)
        return True
    after = lifecycle.silence(state)
    Decision.objects.filter(case=row, revision=row.revision, retracted_at__isnull=True).update(
        execution=after.execution
    )
    move(row, after, verb="no_report", by=SYSTEM, at=at, source=Source.SWEEP, report_due_at=None)
    return True


@transaction.atomic(durable=True)
def resolve(
    *, case_id: UUID, note: str, by: Actor, at: datetime, source: Source = Source.API
) -> contract.Escalation:
    """Close by hand what needs attention, with a note; the outcome stays what the agent said."""
    row = load(case_id, by=by, verb=Verb.RESOLVE)
    after = lifecycle.resolve(state_of(row))
    text = clean_text(visible(note))
    if not text:
        wrong = FieldError("MISSING", "note", "what was done by hand", None, "Say what you did.")
        raise NoteNeeded("Say what was done by hand.", errors=(wrong,))
    Note.objects.create(case=row, by_id=by.id, by_name=by.name, text=text, at=at)
    columns: dict[str, Any] = {"resolved_at": at, "resolved_by": clean_text(by.name, limit=160)}
    move(row, after, verb="resolved", by=by, at=at, source=source, detail={"note": text}, **columns)
    return escalation(row, at=at)


def _check_steps(decision: Decision, said: contract.ReportOutcome) -> None:
    decided = {step["id"] for step in decision.steps}
    strangers = [each.id for each in said.steps if each.id not in decided]
    if strangers:
        constraint = f"one of: {', '.join(sorted(decided)) or 'none'}"
        errors = tuple(FieldError("NO_SUCH_STEP", "steps", constraint, name, None) for name in strangers[:20])
        raise BadReport("The report speaks of steps that were not decided.", errors=errors)


def _store(
    row: Case,
    decision: Decision,
    execution: Execution,
    said: contract.ReportOutcome,
    *,
    by: Actor,
    at: datetime,
    source: Source,
) -> None:
    Decision.objects.filter(pk=decision.pk).update(
        execution=execution,
        reported_at=at,
        acknowledged_at=decision.acknowledged_at or at,  # who reports has it
    )
    goes_on = said.status is Reported.EXECUTING
    detail: dict[str, object] = {
        "report_id": said.report_id,
        "steps": {each.id: each.status.value for each in said.steps},
    }
    follow(
        row,
        decision,
        execution,
        verb=f"reported_{said.status}",
        by=by,
        at=at,
        source=source,
        detail=detail,
        report_due_at=at + report_within() if goes_on else None,
    )


def _accepted(row: Case, said: contract.ReportOutcome, *, duplicate: bool) -> contract.OutcomeAccepted:
    return contract.OutcomeAccepted(
        report_id=said.report_id,
        escalation_id=row.pk,
        decision_id=said.decision_id,
        execution=Execution(row.execution),
        duplicate=duplicate,
    )
