"""Agents and keys: made once, shown once, revoked for good, and every write is audited."""

import pytest

from console.audit.models import AuditEntry
from console.kit.actor import SYSTEM, Actor, ActorKind
from telemetry.models import Agent, AgentKey
from telemetry.operations import (
    BadAddress,
    BadName,
    NameTaken,
    NoSuchAgent,
    NoSuchKey,
    create_agent,
    issue_key,
    revoke_key,
    set_owner,
    set_webhook,
)
from telemetry.queries.keys import forget_keys, key_hash, principal_of
from tests.telemetry.calls import NOON

pytestmark = pytest.mark.django_db
ANA = Actor(ActorKind.PERSON, "1", "ana", frozenset({"admin"}))


def verbs(agent):
    return [entry.verb for entry in AuditEntry.objects.filter(subject=f"agent:{agent}").order_by("seq")]


def test_a_key_opens_until_it_is_revoked_and_only_its_hash_is_kept():
    agent = create_agent(name="trip-booker", owner_id=3, by=ANA, at=NOON)
    key = issue_key(agent_id=agent, by=ANA, at=NOON)
    row = AgentKey.objects.get()
    assert key.startswith(f"sb_{row.prefix}_")
    assert len(key) == len("sb_") + 8 + 1 + 32
    assert row.key_hash == key_hash(key)
    found = principal_of(f"Bearer {key}")
    assert (found.agent_id, found.name, found.owner_id, found.actor.kind) == (
        agent,
        "trip-booker",
        3,
        "agent",
    )
    revoke_key(key_id=row.pk, by=ANA, at=NOON)
    forget_keys()
    assert principal_of(f"Bearer {key}") is None
    assert verbs(agent) == ["created", "key_made", "key_revoked"]


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer x", "Basic sb_1_2", "Bearer sb_" + "a" * 200])
def test_no_other_header_opens_anything(header):
    assert principal_of(header) is None


def test_revoking_twice_is_one_revocation():
    agent = create_agent(name="a", by=ANA, at=NOON)
    issue_key(agent_id=agent, by=ANA, at=NOON)
    key = AgentKey.objects.get().pk
    revoke_key(key_id=key, by=ANA, at=NOON)
    revoke_key(key_id=key, by=SYSTEM, at=NOON)
    assert AgentKey.objects.get().revoked_by == "ana"
    assert verbs(agent).count("key_revoked") == 1


def test_a_name_is_taken_once():
    create_agent(name="trip-booker", by=ANA, at=NOON)
    with pytest.raises(NameTaken):
        create_agent(name=" trip-booker ", by=ANA, at=NOON)
    assert Agent.objects.count() == 1


@pytest.mark.parametrize("name", ["", "   ", "x" * 81])
def test_a_name_has_one_to_eighty_characters(name):
    with pytest.raises(BadName):
        create_agent(name=name, by=ANA, at=NOON)


def test_what_is_not_there_is_refused():
    with pytest.raises(NoSuchAgent):
        issue_key(agent_id=9, by=ANA, at=NOON)
    with pytest.raises(NoSuchKey):
        revoke_key(key_id=9, by=ANA, at=NOON)


def test_a_webhook_goes_to_an_http_address_and_gets_a_secret():
    agent = create_agent(name="a", by=ANA, at=NOON)
    secret = set_webhook(agent_id=agent, url="https://agent.example/hook", by=ANA, at=NOON)
    row = Agent.objects.get()
    assert (row.webhook_url, row.webhook_secret) == ("https://agent.example/hook", secret)
    assert set_webhook(agent_id=agent, url="", by=ANA, at=NOON) == ""
    for url in (
        "ftp://x",
        "javascript:1",
        "https://",
        "https://u:p@x/",
        "http://[",
        "https://x/" + "y" * 500,
    ):
        with pytest.raises(BadAddress):
            set_webhook(agent_id=agent, url=url, by=ANA, at=NOON)


def test_an_owner_is_set_and_audited():
    agent = create_agent(name="a", by=ANA, at=NOON)
    set_owner(agent_id=agent, owner_id=5, by=ANA, at=NOON)
    assert Agent.objects.get().owner_id == 5
    assert verbs(agent) == ["created", "owner_set"]
