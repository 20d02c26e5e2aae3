"""What every operation does alike: load and lock, read the state as a value, write it back, record, announce."""

from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import F

from console.audit.operations import record
from console.kit.actor import Actor
from console.kit.refusal import Refused
from escalations import announce
from escalations.domain import permissions
from escalations.domain.digest import args_digest
from escalations.domain.lifecycle import UNDECIDED, State, needs_attention
from escalations.models import Case, Counter, Decision, Revision
from escalations.operations.telling import tell_of_attention, tell_of_opening
from escalations.queries.delivery import waiting
from escalations.queries.states import subject_of
from escalations.vocabulary import Decision as Decided
from escalations.vocabulary import DecisionKind, Execution, Source, Verb
from telemetry.queries.owners import agent_webhook

CASES = "case"
NO_TIMERS: dict[str, None] = dict.fromkeys(
    ("chain_at", "remind_at", "auto_at", "snoozed_until")
)  # nobody is told again


class MovedUnderneath(Refused):
    """Somebody wrote between our reading and our writing; nothing of ours was kept."""

    code = "MOVED_UNDERNEATH"


def claim_lease() -> timedelta:
    """Give how long a claim lasts without being renewed."""
    return timedelta(seconds=settings.CLAIM_LEASE_S)


def report_within() -> timedelta:
    """Give how long an agent may be silent about a decision that lets it run something."""
    return timedelta(seconds=settings.NO_REPORT_AFTER_S)


def load(case_id: UUID, *, by: Actor, verb: Verb) -> Case:
    """Lock a case and check that this actor may do this to it; another agent's case is not there at all."""
    row = Case.objects.select_for_update().filter(pk=case_id).first()
    if row is None:
        raise permissions.NoSuchCase("There is no such case.")
    if (refusal := permissions.why_not(by, verb, subject_of(row))) is not None:
        raise refusal
    return row


def current_revision(row: Case) -> Revision:
    """Give the package that the case stands at."""
    return Revision.objects.get(case=row, number=row.revision)


def move(
    row: Case,
    after: State,
    *,
    verb: str,
    by: Actor,
    at: datetime,
    source: Source,
    detail: dict[str, object] | None = None,
    **columns: object,
) -> None:
    """Write the next state only if nobody else wrote since we read, with its one audit entry and its hint."""
    before, undecided, attention = _told(row), row.decision in UNDECIDED, row.needs_attention
    columns |= {} if after.decision in UNDECIDED else NO_TIMERS
    moved = Case.objects.filter(pk=row.pk, version=row.version).update(
        revision=after.revision,
        decision=after.decision,
        execution=after.execution,
        expires_at=after.expires_at,
        holder_id=after.holder_id,
        holder_name=after.holder_name,
        lease_until=after.lease_until,
        needs_attention=needs_attention(after),
        version=F("version") + 1,
        **columns,
    )
    if not moved:
        raise MovedUnderneath("Somebody else changed it first.")
    row.refresh_from_db()
    record(
        subject=f"case:{row.number}",
        verb=verb,
        actor=by,
        at=at,
        before=before,
        after=_told(row),
        source=source,
        detail={"revision": row.revision, **(detail or {})},
    )
    _tell(row, undecided=undecided, attention=attention, at=at)


def _tell(row: Case, *, undecided: bool, attention: bool, at: datetime) -> None:
    """Hint at the new version, and tell people of a case that needs a decision or a look and did not before."""
    announce.case_changed(case_id=row.pk, version=row.version)
    if row.needs_attention and not attention:
        tell_of_attention(row, at=at)
    if row.decision in UNDECIDED and not undecided:
        tell_of_opening(row, at=at)


def next_value(name: str) -> int:
    """Count one up and give the number; the row's lock keeps the order that of the commits."""
    if not Counter.objects.filter(pk=name).update(value=F("value") + 1):
        Counter.objects.bulk_create([Counter(name=name)], ignore_conflicts=True)
        Counter.objects.filter(pk=name).update(value=F("value") + 1)
    return int(Counter.objects.values_list("value", flat=True).get(pk=name))


def put_out(decision: Decision) -> Decision:
    """Give a decision its place among the agent's, store it and tell whoever waits, after commit."""
    decision.seq = next_value(f"agent:{decision.agent_id}")
    if agent_webhook(agent_id=decision.agent_id) is not None:
        decision.webhook_at = decision.deliver_after
    decision.save(force_insert=True)
    announce.decision_made(
        agent_id=decision.agent_id,
        case_id=decision.case_id,
        decision_id=decision.pk,
        deliver_after=decision.deliver_after,
        written=waiting(decision),
    )
    return decision


def close_without_a_word(
    row: Case, *, kind: DecisionKind, state: Decided, message: str, at: datetime
) -> Decision:
    """Store that a revision ended without anybody's decision: expired, cancelled or superseded."""
    return put_out(
        Decision(
            case=row,
            agent_id=row.agent_id,
            revision=row.revision,
            kind=kind,
            state=state,
            message=message,
            args_digest=empty_digest(row),
            execution=Execution.NOT_APPLICABLE,
            decided_at=at,
            deliver_after=at,
        )
    )


def empty_digest(row: Case) -> str:
    """Give the digest of no steps at all."""
    return args_digest(row.pk, row.revision, ())


def _told(row: Case) -> dict[str, object]:
    return {
        "revision": row.revision,
        "version": row.version,
        "decision": row.decision,
        "execution": row.execution,
        "holder": row.holder_id,
        "lease_until": row.lease_until.isoformat() if row.lease_until else None,
        "expires_at": row.expires_at.isoformat(),
    }
