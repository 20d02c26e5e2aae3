"""Agents, their keys and their books."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from console.kit.actor import SYSTEM
from telemetry.models import AgentKey
from telemetry.operations import revoke_key
from telemetry.operations.intake import submission
from telemetry.operations.prepare import Knowledge
from telemetry.operations.store import store
from telemetry.queries import agent_named, agent_names, agent_page, agents, books, keys_by_prefix
from tests import factories
from tests.telemetry.calls import NOON, body, call

pytestmark = pytest.mark.django_db


def reported(agent, *some, at=NOON):
    key = AgentKey.objects.get(agent_id=agent, revoked_at__isnull=True)
    store([submission(body(*some), agent_id=agent, key_id=key.pk, at=at, knowledge=Knowledge())])


@pytest.fixture
def booker(db):
    agent = factories.agent("trip-booker", owner_id=7)
    factories.agent_key(agent, label="demo")
    return agent


def test_the_books_balance_and_say_why_items_were_refused(booker):
    reported(booker, call("a"), call("b"), call("a"), {"nonsense": 1})
    (row,) = agents(at=NOON)
    assert (row.books.received, row.books.stored, row.books.duplicate, row.books.rejected) == (4, 2, 1, 1)
    assert row.books.balance
    assert row.books.reasons == (("MALFORMED", 1),)
    assert (row.name, row.owner_id, row.live_keys, row.last_seen_at) == ("trip-booker", 7, 1, NOON)


def test_books_of_another_day_are_not_todays(booker):
    reported(booker, call("old"), at=NOON - timedelta(days=2))
    reported(booker, call("new"))
    assert agents(at=NOON)[0].books.received == 1
    assert books(agent_id=booker, since=NOON - timedelta(days=3), until=NOON).received == 2


def test_an_agents_page_has_every_minute_of_the_last_hour(booker):
    reported(booker, call("a"), at=NOON - timedelta(minutes=10))
    page = agent_page(agent_id=booker, at=NOON)
    assert len(page.minutes) == 60
    assert [minute.books.received for minute in page.minutes].count(1) == 1
    assert all(minute.books.balance for minute in page.minutes)
    assert agent_page(agent_id=booker + 1, at=NOON) is None


def test_a_key_is_shown_by_its_prefix_only(booker):
    key = AgentKey.objects.get()
    (shown,) = agents(at=NOON)[0].keys
    assert (shown.shown, shown.label) == (f"sb_{key.prefix}…", "demo")
    assert (
        keys_by_prefix(key.prefix)
        == keys_by_prefix(f"sb_{key.prefix}")
        == keys_by_prefix("trip-booker")
        == (key.pk,)
    )
    revoke_key(key_id=key.pk, by=SYSTEM, at=NOON)
    assert keys_by_prefix(key.prefix) == ()


def test_names_and_ids_lead_to_each_other(booker):
    assert agent_named("trip-booker") == booker
    assert agent_named("nobody") is None
    assert agent_names([booker, 0]) == {booker: "trip-booker"}


def test_the_list_costs_the_same_for_one_agent_and_for_three(booker):
    def cost():
        with CaptureQueriesContext(connection) as asked:
            agents(at=NOON)
        return len(asked)

    one = cost()
    for name in ("a", "b"):
        factories.agent_key(factories.agent(name))
    assert cost() == one
