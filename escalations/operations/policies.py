"""Making, changing and dropping policies: an administrator's verbs, each with its entry in the audit."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction

from console.audit.operations import record
from console.kit import outbound
from console.kit.actor import Actor
from console.kit.clean import clean
from console.kit.refusal import FieldError, Kind, Refused
from escalations import announce, contract
from escalations.domain import permissions
from escalations.models import Policy
from escalations.queries.policies import policy_told
from escalations.vocabulary import PolicyMode, Source


class NoSuchPolicy(Refused):
    """There is no policy of that name."""

    kind, code = Kind.MISSING, "NO_SUCH_POLICY"


class CannotBeKept(Refused):
    """Something in the rule cannot be stored as it was said, and a rule is never another than the one that was said."""

    kind, code = Kind.INVALID, "CANNOT_BE_KEPT"


class BadAddress(Refused):
    """A step of the chain would post where the console does not post."""

    kind, code = Kind.INVALID, "BAD_ADDRESS"


class PolicyOver(Refused):
    """The policy has expired, so that switching it on would do nothing."""

    code = "POLICY_OVER"


@transaction.atomic(durable=True)
def set_policy(
    *, name: str, said: contract.SetPolicy, by: Actor, at: datetime, source: Source = Source.API
) -> contract.Policy:
    """Make a policy, or put another version of it; open cases keep what they were opened under."""
    _insist(by)
    _check_addresses(said)
    values = _values(said, by, at)
    row, made = Policy.objects.select_for_update().get_or_create(name=name, defaults=values)
    before = None if made else policy_told(row).model_dump(mode="json")
    if not made:
        Policy.objects.filter(pk=row.pk).update(version=row.version + 1, **values)
        row.refresh_from_db()
    return _put(row, before, by=by, at=at, source=source)


def make_policy(
    *, name: str, said: contract.SetPolicy, by: Actor, at: datetime, source: Source
) -> contract.Policy | None:
    """Make a policy within the caller's transaction; None where there is one of that name."""
    row, made = Policy.objects.get_or_create(name=name, defaults=_values(said, by, at))
    return _put(row, None, by=by, at=at, source=source) if made else None


def _put(
    row: Policy, before: dict[str, Any] | None, *, by: Actor, at: datetime, source: Source
) -> contract.Policy:
    """Leave the entry of a rule that was made or changed."""
    after = policy_told(row).model_dump(mode="json")
    verb = "policy_set" if before else "policy_made"
    detail: dict[str, object] = {
        "version": row.version,
        "mode": row.mode,
        "match": row.match,
        "effect": row.effect,
    }
    record(
        subject=f"policy:{row.name}",
        verb=verb,
        actor=by,
        at=at,
        before=before,
        after=after,
        source=source,
        detail=detail,
    )
    announce.rules_changed(at=at)
    return policy_told(row)


def _check_addresses(said: contract.SetPolicy) -> None:
    for n, step in enumerate(said.effect.chain or ()):
        if step.url is None:
            continue
        try:
            outbound.check(step.url, settings.WEBHOOK_NETWORKS)
        except outbound.NotAllowed as exc:
            constraint = "a public http or https address, or one of WEBHOOK_NETWORKS"
            wrong = FieldError("URL", f"effect.chain.{n}.url", constraint, step.url[:200])
            raise BadAddress(str(exc), errors=(wrong,)) from exc


@transaction.atomic(durable=True)
def switch_policy(
    *, name: str, mode: PolicyMode, by: Actor, at: datetime, source: Source = Source.API
) -> contract.Policy:
    """Switch a policy on, to watching, or off, in one click; it decides nothing from this commit on where it is off."""
    row = Policy.objects.select_for_update().filter(name=name).first()
    if row is None:
        raise NoSuchPolicy("There is no such policy.")
    if not (by.is_person and row.owner_id == by.id and mode is not PolicyMode.ON):
        _insist(by)  # its owner may always take it back
    if mode is not PolicyMode.OFF and row.expires_at is not None and row.expires_at <= at:
        raise PolicyOver("It has expired: give it a later end and save it.")
    before = policy_told(row).model_dump(mode="json")
    if row.mode != mode:
        Policy.objects.filter(pk=row.pk).update(mode=mode, version=row.version + 1, changed_at=at)
        row.refresh_from_db()
    record(
        subject=f"policy:{name}",
        verb=f"policy_{mode}",
        actor=by,
        at=at,
        before=before,
        after=policy_told(row).model_dump(mode="json"),
        source=source,
        detail={"version": row.version, "mode": row.mode},
    )
    announce.rules_changed(at=at)
    return policy_told(row)


@transaction.atomic(durable=True)
def drop_policy(*, name: str, by: Actor, at: datetime, source: Source = Source.API) -> None:
    """Drop a policy; open cases keep what they were opened under."""
    _insist(by)
    gone, _ = Policy.objects.filter(name=name).delete()
    if not gone:
        raise NoSuchPolicy("There is no such policy.")
    record(subject=f"policy:{name}", verb="policy_dropped", actor=by, at=at, source=source)
    announce.rules_changed(at=at)


def _values(said: contract.SetPolicy, by: Actor, at: datetime) -> dict[str, Any]:
    return {
        "mode": said.mode,
        "position": said.position,
        "match": _as_said("match", said.match.model_dump(mode="json", by_alias=True, exclude_none=True)),
        "effect": _as_said("effect", said.effect.model_dump(mode="json", exclude_none=True)),
        "owner_id": by.id,
        "owner_name": by.name[:160],
        "expires_at": said.expires_at,
        "changed_at": at,
    }


def _as_said(field: str, value: dict[str, Any]) -> object:
    """Give a part of the rule exactly as it was said, or refuse it."""
    cleaned = clean(value)
    if cleaned.flags:
        why = FieldError(code="CANNOT_BE_KEPT", field=field, constraint=", ".join(sorted(cleaned.flags)))
        raise CannotBeKept("The rule cannot be stored as it was said.", errors=(why,))
    return cleaned.value


def _insist(by: Actor) -> None:
    if (refusal := permissions.why_not_rule(by)) is not None:
        raise refusal
