"""A key that is remembered is not asked for again, and one that is revoked is forgotten at once."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from console.kit.actor import SYSTEM, ActorKind
from telemetry.auth import AgentKeyAuthentication, aprincipal_of, principal_of
from telemetry.models import AgentKey
from telemetry.operations import revoke_key
from tests import factories
from tests.telemetry.calls import NOON


@pytest.mark.django_db
def test_the_database_is_asked_once():
    header = f"Bearer {factories.agent_key(factories.agent())}"
    with CaptureQueriesContext(connection) as asked:
        first, second = principal_of(header), principal_of(header)
    assert len(asked) == 1
    assert first is second
    assert (first.is_authenticated, first.actor.kind) == (True, ActorKind.AGENT)


@pytest.mark.django_db
def test_a_key_nobody_has_is_remembered_as_nobodys():
    with CaptureQueriesContext(connection) as asked:
        assert principal_of("Bearer sb_nothing_here") is None
        assert principal_of("Bearer sb_nothing_here") is None
    assert len(asked) == 1


@pytest.mark.django_db(transaction=True)
def test_a_revoked_key_is_forgotten_with_the_commit():
    header = f"Bearer {factories.agent_key(factories.agent())}"
    assert principal_of(header) is not None
    revoke_key(key_id=AgentKey.objects.get().pk, by=SYSTEM, at=NOON)
    assert principal_of(header) is None


@pytest.mark.django_db
async def test_a_loop_asks_no_thread_for_what_is_remembered(monkeypatch):
    def never(key):
        raise AssertionError("the database was asked")

    monkeypatch.setattr("telemetry.queries.keys.principal_of_key", never)
    monkeypatch.setattr("telemetry.queries.keys.remembered", lambda _: (True, "somebody"))
    assert await aprincipal_of("Bearer sb_a_b") == "somebody"
    assert await aprincipal_of("Basic x") is None


def test_strangers_are_told_how_to_show_a_key():
    assert AgentKeyAuthentication().authenticate_header(None).startswith("Bearer")
