"""`manage.py agent`: a key printed once, a list without secrets, a key revoked."""

import pytest
from django.core.management import CommandError, call_command

from telemetry.models import Agent, AgentKey
from telemetry.queries.keys import forget_keys, principal_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def manage(capsys):
    def run(*words):
        call_command("agent", *words)
        return capsys.readouterr().out.strip()

    return run


def test_create_prints_a_key_that_opens(manage):
    key = manage("create", "trip-booker")
    assert principal_of(f"Bearer {key}").name == "trip-booker"


def test_create_if_missing_says_nothing_the_second_time(manage):
    assert manage("create", "trip-booker", "--if-missing")
    assert manage("create", "trip-booker", "--if-missing") == ""
    assert AgentKey.objects.count() == 1


def test_create_twice_is_refused(manage):
    manage("create", "trip-booker")
    with pytest.raises(CommandError, match=r"already: `manage\.py agent key trip-booker`"):
        manage("create", "trip-booker")


def test_a_further_key_opens_too(manage):
    manage("create", "trip-booker")
    assert principal_of(f"Bearer {manage('key', 'trip-booker')}").agent_id == Agent.objects.get().pk
    with pytest.raises(CommandError):
        manage("key", "nobody")


def test_the_list_shows_no_secret(manage):
    key = manage("create", "trip-booker")
    shown = manage("list")
    assert "trip-booker" in shown
    assert key[:11] in shown
    assert key not in shown


def test_revoke_by_prefix_or_by_name(manage):
    key = manage("create", "trip-booker")
    assert manage("revoke", key[:11]) == "revoked: 1"
    forget_keys()
    assert principal_of(f"Bearer {key}") is None
    with pytest.raises(CommandError):
        manage("revoke", "trip-booker")
