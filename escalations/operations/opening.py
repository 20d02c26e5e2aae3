"""What an agent does with its case: open it, put the next revision, withdraw it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import orjson
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef

from console.audit.operations import record
from console.kit.actor import Actor
from console.kit.clean import clean_text
from console.kit.refusal import FieldError, Kind, Refused
from escalations import announce, contract
from escalations.domain import lifecycle, package, permissions
from escalations.domain.kinds import packaged
from escalations.models import Case, Decision, Revision
from escalations.operations.rows import CASES, close_without_a_word, current_revision, load, move, next_value
from escalations.operations.ruling import opened_under, revised_under
from escalations.operations.telling import tell_of_opening
from escalations.queries.groups import has_company
from escalations.queries.plans import with_default_as_known
from escalations.queries.states import state_of
from escalations.queries.wire import escalation
from escalations.vocabulary import DeciderKind, DecisionKind, Source, Verb
from escalations.vocabulary import Decision as Decided
from telemetry.queries.owners import agent_owner

LONGEST_LIFE = timedelta(days=366)


class IdempotencyConflict(Refused):
    """The key was used for something else."""

    code = "IDEMPOTENCY_CONFLICT"


class BadDeadline(Refused):
    """The deadline has passed already, or lies too far ahead."""

    kind, code = Kind.INVALID, "BAD_DEADLINE"


@dataclass(frozen=True, slots=True)
class Opened:
    """A case, and whether this request made it."""

    escalation: contract.Escalation
    created: bool


@transaction.atomic(durable=True)
def open_case(*, said: contract.OpenCase, by: Actor, at: datetime, source: Source = Source.API) -> Opened:
    """Open a case, or give the one that this key opened before with the same content."""
    if (refusal := permissions.why_not(by, Verb.OPEN, None)) is not None:
        raise refusal
    packed = _packed(said)
    content = package.content_digest(packed)
    if (known := _known(by, said.key, content, at)) is not None:
        return known
    package.check(with_default_as_known(packed))
    if (rejected := _rejected_lately(packed, by, at)) is not None:
        return _shown_again(rejected, said, by=by, at=at, source=source)
    row = _create(said, packed, content, by=by, at=at)
    if row is None:  # the same key at the same moment, from another process of the agent
        known = _known(by, said.key, content, at)
        if known is None:
            raise IdempotencyConflict("This key opened another case at this very moment.")
        return known
    _keep(row, packed, content, at)
    detail: dict[str, object] = {
        "key": said.key,
        "trigger": said.trigger.value,
        "tool": row.tool,
        "revision": 1,
    }
    subject = f"case:{row.number}"
    record(subject=subject, verb="opened", actor=by, at=at, after=content, source=source, detail=detail)
    tell_of_opening(row, at=at)
    announce.case_changed(case_id=row.pk, version=row.version)
    if has_company(row):
        announce.group_joined(fingerprint=row.fingerprint, revision=row.number)
    return Opened(escalation(row, at=at), created=True)


def open_in_kind(
    *, kind: str, said: contract.AskInKind, by: Actor, at: datetime, source: Source = Source.API
) -> Opened:
    """Open a case from a request as another family writes it."""
    effects = {tool: effect.model_dump(mode="json") for tool, effect in said.effects.items()}
    parts = packaged(kind, said.request, effects, key=said.key)
    outside = said.model_dump(mode="json", exclude={"request", "effects"})
    body = orjson.dumps({**parts, **outside})
    return open_case(said=contract.OpenCase.read(body), by=by, at=at, source=source)


@transaction.atomic(durable=True)
def revise(
    *, case_id: UUID, said: contract.ReviseCase, by: Actor, at: datetime, source: Source = Source.API
) -> contract.Escalation:
    """Put the next revision: before a decision, or after an outcome that left work undone.

    The same package on the same base again changes nothing.
    """
    row = load(case_id, by=by, verb=Verb.REVISE)
    packed = _packed(said)
    content = package.content_digest(packed)
    if row.revision == said.base_revision + 1 and current_revision(row).digest == content:
        return escalation(row, at=at)
    state = state_of(row)
    ruled = revised_under(row, packed, deadline_of(said.expires_at, at), at=at)
    after = lifecycle.revise(state, base_revision=said.base_revision, expires_at=ruled.pop("expires_at"))
    package.check(with_default_as_known(packed))
    if state.decision in lifecycle.UNDECIDED:
        close_without_a_word(
            row,
            kind=DecisionKind.SUPERSEDED,
            state=Decided.SUPERSEDED,
            message=f"Revision {after.revision} has replaced revision {row.revision}.",
            at=at,
        )
    put_revision(row, after, packed, content, ruled=ruled, verb="revised", by=by, at=at, source=source)
    return escalation(row, at=at)


@transaction.atomic(durable=True)
def cancel(
    *, case_id: UUID, reason: str, by: Actor, at: datetime, source: Source = Source.API
) -> contract.Escalation:
    """Withdraw a case that nobody has decided; withdrawing it again changes nothing."""
    row = load(case_id, by=by, verb=Verb.CANCEL)
    if row.decision == Decided.CANCELLED:
        return escalation(row, at=at)
    after = lifecycle.cancel(state_of(row))
    message = clean_text(reason)
    close_without_a_word(row, kind=DecisionKind.CANCELLED, state=Decided.CANCELLED, message=message, at=at)
    move(row, after, verb="cancelled", by=by, at=at, source=source, detail={"reason": message}, decided_at=at)
    return escalation(row, at=at)


def put_revision(
    row: Case,
    after: lifecycle.State,
    packed: dict[str, Any],
    content: str,
    *,
    ruled: dict[str, Any],
    verb: str,
    by: Actor,
    at: datetime,
    source: Source,
) -> None:
    """Let the case stand at its next revision, with the entry that says who put it."""
    columns: dict[str, Any] = {
        **_columns(packed),
        **ruled,
        "revised_at": at,
        "decided_at": None,
        "decided_by": "",
        "report_due_at": None,
        "resolved_at": None,
        "resolved_by": "",
        "snoozed_until": None,
    }
    move(row, after, verb=verb, by=by, at=at, source=source, **columns)
    _keep(row, packed, content, at)


def _create(
    said: contract.OpenCase, packed: dict[str, Any], content: str, *, by: Actor, at: datetime
) -> Case | None:
    try:
        with transaction.atomic():
            return Case.objects.create(
                number=next_value(CASES),
                agent_id=by.id,
                agent_name=clean_text(by.name, limit=160),
                agent_owner_id=agent_owner(agent_id=by.id),
                key=said.key,
                content_digest=content,
                opened_at=at,
                revised_at=at,
                **opened_under(packed, deadline_of(said.expires_at, at), agent=by.name, at=at),
                **_columns(packed),
            )
    except IntegrityError:
        return None


def _packed(said: contract.Package) -> dict[str, Any]:
    return said.model_dump(mode="json", by_alias=True, exclude={"key", "base_revision"})


def _known(by: Actor, key: str, content: str, at: datetime) -> Opened | None:
    row = Case.objects.filter(agent_id=by.id, key=key).first()
    if row is None:
        return None
    if row.content_digest != content:
        told = {"escalation_id": str(row.pk), "ref": str(row)}
        raise IdempotencyConflict(
            "This key opened another case; use a key of its own for this one.", extra=told
        )
    return Opened(escalation(row, at=at), created=False)


def _rejected_lately(packed: dict[str, Any], by: Actor, at: datetime) -> Case | None:
    """Give the case that is just like this one and that a person rejected.

    Whoever names a predecessor means a new case; and what a default or a policy rejected, no person has seen yet.
    """
    likeness = package.likeness(packed)
    if not likeness or packed["predecessor"] is not None:
        return None
    alike = Case.objects.filter(
        agent_id=by.id,
        likeness=likeness,
        decision=Decided.REJECTED,
        decided_at__gt=at - timedelta(seconds=settings.REJECTION_STANDS_S),
    )
    by_person = Decision.objects.filter(
        case=OuterRef("pk"),
        revision=OuterRef("revision"),
        retracted_at__isnull=True,
        by_kind=DeciderKind.PERSON,
    )
    return alike.filter(Exists(by_person)).order_by("-decided_at").first()


def _shown_again(row: Case, said: contract.OpenCase, *, by: Actor, at: datetime, source: Source) -> Opened:
    """Answer a re-raised case with the earlier one and its decision, and keep that it was asked again."""
    detail: dict[str, object] = {"key": said.key, "trace_id": said.trace_id, "revision": row.revision}
    record(subject=f"case:{row.number}", verb="raised_again", actor=by, at=at, source=source, detail=detail)
    announce.case_changed(case_id=row.pk, version=row.version)
    return Opened(escalation(row, at=at), created=False)


def deadline_of(asked: datetime | None, at: datetime) -> datetime:
    """Give the deadline that was asked for, or the usual one; refuse what nobody could meet."""
    if asked is None:
        return at + timedelta(seconds=settings.CASE_LIFE_S)
    if at < asked <= at + LONGEST_LIFE:
        return asked
    constraint = f"after {at.isoformat(timespec='seconds')}, at most {LONGEST_LIFE.days} days ahead"
    wrong = FieldError(
        "BAD_DEADLINE", "expires_at", constraint, asked.isoformat(), "Send a time in the future."
    )
    raise BadDeadline("The deadline is not one that anybody could meet.", errors=(wrong,))


def _columns(packed: dict[str, Any]) -> dict[str, Any]:
    failure = packed["failure"] or {}
    return {
        "trace_id": packed["trace_id"],
        "session_id": packed["session_id"] or "",
        "predecessor": packed["predecessor"],
        "title": clean_text(packed["title"]),
        "goal": clean_text(packed["goal"]),
        "trigger": packed["trigger"],
        "severity": packed["severity"],
        "tool": failure.get("tool") or "",
        "failure_class": failure.get("class") or "",
        "code": clean_text(failure.get("code") or ""),
        "fingerprint": package.fingerprint(packed),
        "likeness": package.likeness(packed),
        "recommended": clean_text(package.recommended(packed)),
    }


def _keep(row: Case, packed: dict[str, Any], content: str, at: datetime) -> None:
    kept = package.kept(packed)
    Revision.objects.create(
        case=row,
        number=row.revision,
        package=kept.package,
        flags=list(kept.flags),
        digest=content,
        made_at=at,
    )
