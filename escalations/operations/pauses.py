"""The kill switch: automatic decisions of an agent's cases or of a policy, held back and let go on."""

from datetime import datetime

from django.db import transaction

from console.audit.operations import record
from console.kit.actor import Actor
from console.kit.clean import clean_text, visible
from console.kit.refusal import FieldError, Kind, Refused
from escalations import announce, contract
from escalations.domain import permissions
from escalations.models import Case, Pause
from escalations.queries.pauses import pause_told
from escalations.vocabulary import Paused, Source


class NotPaused(Refused):
    """Nothing of that name is held back."""

    kind, code = Kind.MISSING, "NOT_PAUSED"


class BadPause(Refused):
    """A pause that is over before it begins, or without a reason."""

    kind, code = Kind.INVALID, "BAD_PAUSE"


@transaction.atomic(durable=True)
def pause(
    *,
    kind: Paused,
    name: str,
    said: contract.HoldBack,
    by: Actor,
    at: datetime,
    source: Source = Source.API,
) -> contract.Pause:
    """Hold automatic decisions back from this commit on: declared defaults, and policies that decide.

    What is overdue meanwhile expires; nobody says no for it. Pausing again changes the reason and the end.
    """
    _insist(by)
    reason = clean_text(visible(said.reason), limit=300)
    if not reason:
        wrong = FieldError("MISSING", "reason", "some words", None, "Say why.")
        raise BadPause("A pause says why.", errors=(wrong,))
    if said.until is not None and said.until <= at:
        wrong = FieldError("RANGE", "until", "after now", said.until.isoformat(), "Leave it out for good.")
        raise BadPause("The pause is over before it begins.", errors=(wrong,))
    values = {
        "reason": reason,
        "by_id": by.id,
        "by_name": clean_text(by.name, limit=160),
        "since": at,
        "until": said.until,
    }
    row, made = Pause.objects.update_or_create(kind=kind, name=name, defaults=values)
    detail: dict[str, object] = {"reason": reason, "until": said.until.isoformat() if said.until else ""}
    verb = "automatic_paused" if made else "automatic_pause_changed"
    record(subject=f"{kind}:{name}", verb=verb, actor=by, at=at, source=source, detail=detail)
    announce.rules_changed(at=at)
    return pause_told(row)


@transaction.atomic(durable=True)
def unpause(*, kind: Paused, name: str, by: Actor, at: datetime, source: Source = Source.API) -> None:
    """Let automatic decisions go on; those that were due meanwhile are due now."""
    _insist(by)
    gone, _ = Pause.objects.filter(kind=kind, name=name).delete()
    if not gone:
        raise NotPaused("Nothing of that name is held back.")
    waiting = Case.objects.filter(auto_at__gt=at)
    (waiting.filter(agent_name=name) if kind is Paused.AGENT else waiting).update(auto_at=at)
    record(subject=f"{kind}:{name}", verb="automatic_resumed", actor=by, at=at, source=source)
    announce.rules_changed(at=at)


def _insist(by: Actor) -> None:
    if (refusal := permissions.why_not_pause(by)) is not None:
        raise refusal
