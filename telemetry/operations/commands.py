"""What people tell breakers: every command is audited, has a reason and an end, and goes to every instance it means."""

import uuid
from datetime import datetime

from django.db import transaction

from console.audit.operations import record
from console.kit.actor import SYSTEM, Actor
from console.kit.clean import clean_text
from console.kit.refusal import FieldError, Kind, Refused
from telemetry import announce
from telemetry.domain.breakers import LONGEST_COMMAND, ends
from telemetry.models import Breaker, BreakerCommand, BreakerInstance
from telemetry.operations.telling import tell_of_command
from telemetry.vocabulary import BreakerState, CommandVerb

SHORTEST_REASON, LONGEST_REASON = 3, 400


class NoSuchBreaker(Refused):
    """No instance ever spoke of a breaker of that name; nothing is made by mistyping."""

    kind, code = Kind.MISSING, "NO_SUCH_BREAKER"


class BadCommand(Refused):
    """A command without a reason, without an end, or for instances that do not have the breaker."""

    kind, code = Kind.INVALID, "BAD_COMMAND"


@transaction.atomic(durable=True)
def command_breaker(
    *,
    breaker: str,
    verb: CommandVerb,
    reason: str,
    expires_at: datetime,
    instances: tuple[str, ...] | None = None,
    expected_state: BreakerState | None = None,
    by: Actor,
    at: datetime,
) -> int:
    """Tell a breaker what to do and give the command's number. `instances` None means all, and any that starts.

    An earlier command to the same instances ends with it. Raises NoSuchBreaker and BadCommand.
    """
    row = Breaker.objects.select_for_update().filter(name=breaker).first()
    if row is None:
        raise NoSuchBreaker(f"There is no breaker called {breaker[:200]!r}.")
    told = clean_text(reason.strip(), limit=LONGEST_REASON)
    _check(row, told, expires_at, instances, at=at)
    _end_earlier(row, verb, instances, at=at)
    command = BreakerCommand(
        command_id=uuid.uuid4(),
        breaker=row,
        verb=verb,
        instances=None if instances is None else list(instances),
        expected_state=expected_state or "",
        reason=told,
        issued_by=by.name[:160],
        issued_at=at,
        expires_at=expires_at,
    )
    # The audit's end is locked before the number is drawn: numbers are committed in their order, and whoever asks
    # for what comes after one has missed none.
    _record(command, by=by)
    command.save()
    tell_of_command(command, by=by)
    agents = BreakerInstance.objects.filter(parts__breaker=row).values_list("agent_id", flat=True)
    announce.command_on_commit(breaker=breaker, number=command.pk, agents=frozenset(agents))
    return command.pk


def _record(command: BreakerCommand, *, by: Actor) -> None:
    detail: dict[str, object] = {"command_id": str(command.command_id), "reason": command.reason}
    detail |= {"instances": command.instances, "expires_at": command.expires_at.isoformat()}
    record(
        subject=f"breaker:{command.breaker.name}",
        verb=str(command.verb),
        actor=by,
        at=command.issued_at,
        after=detail,
        detail=detail,
    )


@transaction.atomic(durable=True)
def end_one_command(*, at: datetime) -> bool:
    """Note one command that has run out; give whether there was one. Agents end it by their own clock as well."""
    due = BreakerCommand.objects.filter(ended_at__isnull=True, expires_at__lte=at).order_by(
        "expires_at", "pk"
    )
    command = due.select_related("breaker").first()
    if command is None:
        return False
    if BreakerCommand.objects.filter(pk=command.pk, ended_at__isnull=True).update(
        ended_at=command.expires_at
    ):
        detail: dict[str, object] = {"command_id": str(command.command_id), "verb": command.verb}
        subject = f"breaker:{command.breaker.name}"
        record(subject=subject, verb="command_expired", actor=SYSTEM, at=at, detail=detail)
        announce.breaker_on_commit(name=command.breaker.name, revision=command.pk)
    return True


def _check(
    row: Breaker, reason: str, expires_at: datetime, instances: tuple[str, ...] | None, *, at: datetime
) -> None:
    wrong = []
    if len(reason) < SHORTEST_REASON:
        wrong.append(
            FieldError("LENGTH", "reason", f"{SHORTEST_REASON} to {LONGEST_REASON} characters", reason)
        )
    if not at < expires_at <= at + LONGEST_COMMAND:
        limit = f"after now, at most {LONGEST_COMMAND.days} days away"
        wrong.append(FieldError("RANGE", "expires_at", limit, expires_at.isoformat()))
    if instances is not None:
        known = BreakerInstance.objects.filter(parts__breaker=row, instance__in=instances)
        unknown = set(instances) - set(known.values_list("instance", flat=True))
        if unknown or not instances:
            wrong.append(FieldError("UNKNOWN", "instances", "instances of this breaker", sorted(unknown)))
    if wrong:
        raise BadCommand(
            "A command needs a reason and an end, and goes to instances that have the breaker.",
            errors=tuple(wrong),
        )


def _end_earlier(row: Breaker, verb: CommandVerb, instances: tuple[str, ...] | None, *, at: datetime) -> None:
    """End what this command replaces: everything, or what went to some of the same instances and no other."""
    for earlier in BreakerCommand.objects.filter(breaker=row, ended_at__isnull=True):
        covered = instances is None or (
            earlier.instances is not None and set(earlier.instances) <= set(instances)
        )
        if covered and ends(verb, CommandVerb(earlier.verb)):
            BreakerCommand.objects.filter(pk=earlier.pk, ended_at__isnull=True).update(ended_at=at)
