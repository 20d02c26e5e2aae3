"""Taking a suggested policy, or not wanting it: somebody owns it from then on, it watches first, and it expires."""

from datetime import datetime, timedelta

import orjson
from django.db import transaction

from console.audit.operations import record
from console.kit.actor import Actor
from console.kit.clean import clean_text
from console.kit.refusal import Kind, Refused
from escalations import announce, contract
from escalations.domain import permissions
from escalations.models import Dismissal
from escalations.operations.policies import make_policy
from escalations.queries.learning import is_taken, suggestion
from escalations.vocabulary import Source


class NoSuchSuggestion(Refused):
    """History speaks for no such rule, or no longer: one contrary decision is enough."""

    kind, code = Kind.MISSING, "NO_SUCH_SUGGESTION"


class AlreadyTaken(Refused):
    """Somebody was faster, or a policy has that name: taking it again would undo what they made of it."""

    code = "ALREADY_TAKEN"


@transaction.atomic(durable=True)
def take_suggestion(
    *,
    suggestion_id: str,
    said: contract.TakeSuggestion,
    by: Actor,
    at: datetime,
    source: Source = Source.API,
) -> contract.Policy:
    """Make a policy of a suggestion, whoever takes it being its owner."""
    _insist(by)
    found = suggestion(suggestion_id=suggestion_id)
    if found is None:
        raise NoSuchSuggestion("Past decisions do not speak for this rule any more.")
    if is_taken(found):
        raise AlreadyTaken("There is a policy that says this already.")
    body = {
        "mode": said.mode.value,
        "match": dict(found.match),
        "effect": {"decide": dict(found.decide)},
        "expires_at": (at + timedelta(days=said.days)).isoformat(),
    }
    policy = contract.SetPolicy.read(orjson.dumps(body))
    name = said.name or f"{found.name} {found.id[:6]}"
    made = make_policy(name=name, said=policy, by=by, at=at, source=source)
    if made is None:
        raise AlreadyTaken("There is a policy of that name already.")
    return made


@transaction.atomic(durable=True)
def dismiss_suggestion(
    *, suggestion_id: str, reason: str, by: Actor, at: datetime, source: Source = Source.API
) -> None:
    """Say that a suggestion is not wanted; it is not made again."""
    _insist(by)
    if suggestion(suggestion_id=suggestion_id) is None:
        raise NoSuchSuggestion("Past decisions do not speak for this rule any more.")
    why = clean_text(reason, limit=300)
    row = Dismissal(suggestion=suggestion_id, reason=why, by_name=clean_text(by.name, limit=160), at=at)
    Dismissal.objects.bulk_create([row], ignore_conflicts=True)
    detail: dict[str, object] = {"reason": why}
    subject = f"suggestion:{suggestion_id}"
    record(subject=subject, verb="suggestion_dismissed", actor=by, at=at, source=source, detail=detail)
    announce.rules_changed(at=at)


def _insist(by: Actor) -> None:
    if (refusal := permissions.why_not_rule(by)) is not None:
        raise refusal
