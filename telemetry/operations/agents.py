"""Every write about agents: they are made, get keys, lose keys, say where their decisions go."""

import secrets
from datetime import datetime

from django.conf import settings
from django.db import transaction

from console.audit.operations import record
from console.kit import outbound
from console.kit.actor import Actor
from console.kit.clean import clean_text
from console.kit.refusal import FieldError, Kind, Refused
from telemetry import announce
from telemetry.models import Agent, AgentKey
from telemetry.queries.keys import forget_keys, key_hash

PREFIX = "sb"
LONGEST_ADDRESS = 500
ALPHABET = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # without what people misread


class NoSuchAgent(Refused):
    """There is no agent of that id or name."""

    kind, code = Kind.MISSING, "NO_SUCH_AGENT"


class NoSuchKey(Refused):
    """There is no key of that id."""

    kind, code = Kind.MISSING, "NO_SUCH_KEY"


class NameTaken(Refused):
    """Another agent has that name."""

    kind, code = Kind.CONFLICT, "NAME_TAKEN"


class BadName(Refused):
    """A name that is empty or too long."""

    kind, code = Kind.INVALID, "BAD_NAME"


class BadAddress(Refused):
    """A webhook address that is no http or https URL."""

    kind, code = Kind.INVALID, "BAD_ADDRESS"


@transaction.atomic(durable=True)
def create_agent(*, name: str, owner_id: int | None = None, by: Actor, at: datetime) -> int:
    """Create an agent and give its id. Raises BadName and NameTaken."""
    wanted = clean_text(name.strip(), limit=81)
    if not 0 < len(wanted) <= 80:
        wrong = FieldError("LENGTH", "name", "1 to 80 characters", wanted[:80])
        raise BadName("An agent's name has 1 to 80 characters.", errors=(wrong,))
    agent, new = Agent.objects.get_or_create(name=wanted, defaults={"made_at": at, "owner_id": owner_id})
    if not new:
        raise NameTaken(f"There is an agent called {wanted!r} already.")
    record(
        subject=_subject(agent.pk),
        verb="created",
        actor=by,
        at=at,
        detail={"name": wanted, "owner_id": owner_id},
    )
    return agent.pk


@transaction.atomic(durable=True)
def issue_key(*, agent_id: int, label: str = "", by: Actor, at: datetime) -> str:
    """Make a key and give it, once; only its hash stays here."""
    agent = _agent(agent_id)
    prefix, secret = _random(8), _random(32)
    key = f"{PREFIX}_{prefix}_{secret}"
    AgentKey.objects.create(
        agent=agent,
        key_hash=key_hash(key),
        prefix=prefix,
        label=clean_text(label, limit=80),
        made_at=at,
        made_by=by.name[:160],
    )
    record(
        subject=_subject(agent.pk),
        verb="key_made",
        actor=by,
        at=at,
        detail={"prefix": prefix, "label": label[:80]},
    )
    return key


@transaction.atomic(durable=True)
def revoke_key(*, key_id: int, by: Actor, at: datetime) -> None:
    """Revoke a key; a second time changes nothing. Raises NoSuchKey."""
    key = AgentKey.objects.filter(pk=key_id).first()
    if key is None:
        raise NoSuchKey("There is no such key.")
    if AgentKey.objects.filter(pk=key_id, revoked_at__isnull=True).update(
        revoked_at=at, revoked_by=by.name[:160]
    ):
        detail = {"prefix": key.prefix, "key": key_id}
        record(subject=_subject(key.agent_id), verb="key_revoked", actor=by, at=at, detail=detail)
        transaction.on_commit(forget_keys, robust=True)
        announce.key_revoked_on_commit(agent=key.agent_id, key_id=key_id)


@transaction.atomic(durable=True)
def set_owner(*, agent_id: int, owner_id: int | None, by: Actor, at: datetime) -> None:
    """Say which person an agent belongs to."""
    agent = _agent(agent_id)
    Agent.objects.filter(pk=agent_id).update(owner_id=owner_id)
    record(
        subject=_subject(agent_id),
        verb="owner_set",
        actor=by,
        at=at,
        before=agent.owner_id,
        after=owner_id,
        detail={"owner_id": owner_id},
    )
    transaction.on_commit(forget_keys, robust=True)


@transaction.atomic(durable=True)
def set_webhook(*, agent_id: int, url: str, by: Actor, at: datetime) -> str:
    """Say where an agent's decisions are posted to, and give the secret they are signed with; empty means nowhere."""
    agent = _agent(agent_id)
    _check_address(url)
    secret = secrets.token_urlsafe(32) if url else ""
    Agent.objects.filter(pk=agent_id).update(webhook_url=url, webhook_secret=secret)
    record(
        subject=_subject(agent_id),
        verb="webhook_set",
        actor=by,
        at=at,
        before=agent.webhook_url,
        after=url,
        detail={"url": url},
    )
    return secret


def _check_address(url: str) -> None:
    if not url:
        return
    try:
        outbound.check(url, settings.WEBHOOK_NETWORKS)
        why = "" if len(url) <= LONGEST_ADDRESS else "The address is too long."
    except outbound.NotAllowed as exc:
        why = str(exc)
    if why:
        constraint = f"a public http or https address of at most {LONGEST_ADDRESS} characters, or one of WEBHOOK_NETWORKS"
        raise BadAddress(why, errors=(FieldError("URL", "url", constraint, url[:200]),))


def _agent(agent_id: int) -> Agent:
    agent = Agent.objects.filter(pk=agent_id).first()
    if agent is None:
        raise NoSuchAgent("There is no such agent.")
    return agent


def _subject(agent_id: int) -> str:
    return f"agent:{agent_id}"


def _random(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))
