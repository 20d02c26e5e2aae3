import json
from ipaddress import ip_network

import pytest

from console.audit.queries import history
from console.kit.actor import Actor, ActorKind
from escalations import operations
from escalations.domain import signature
from escalations.models import Case, Decision
from escalations.operations.webhooks import LEASE, NothingToRedeliver
from telemetry import operations as facts
from tests import factories
from tests.escalations import made

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def here(settings):
    settings.WEBHOOK_NETWORKS = [ip_network("127.0.0.0/8")]


@pytest.fixture
def who():
    return Actor(ActorKind.AGENT, str(factories.agent("trip-booker")), "trip-booker")


@pytest.fixture
def secret(who):
    return facts.set_webhook(agent_id=int(who.id), url="http://127.0.0.1:9/in", by=made.ANA, at=made.NOON)


def decided(who, action="approve", **more):
    return made.decided(made.opened(by=who).id, action, **more)


def take(at=made.NOON):
    return operations.take_one_post(at=at)


def test_a_post_carries_the_row_signed_for_its_agent(who, secret):
    made_ = decided(who)
    post = take()
    told = json.loads(post.body)
    assert post.url == "http://127.0.0.1:9/in"
    assert (told["type"], told["decision_id"], told["args_digest"]) == (
        "decision", str(made_.decision_id), made_.args_digest,
    )  # fmt: skip
    again = signature.headers(message_id=str(made_.decision_id), body=post.body, secret=secret, at=made.NOON)
    assert post.headers == again


def test_a_2xx_says_delivered_and_is_not_posted_again(who, secret):
    made_ = decided(who)
    take()
    operations.post_answered(decision_id=made_.decision_id, fault="", at=made.later(seconds=1))
    row = Decision.objects.get()
    assert (row.delivered_by, row.delivered_at, row.execution) == (
        "webhook",
        made.later(seconds=1),
        "delivered",
    )
    assert Case.objects.get().execution == "delivered"
    assert take(made.later(days=3)) is None


def test_a_failed_post_comes_up_again_later(who, secret):
    made_ = decided(who)
    take()
    operations.post_answered(decision_id=made_.decision_id, fault="HTTP 503", at=made.NOON)
    assert take(made.later(seconds=4)) is None
    assert take(made.later(seconds=5)) is not None
    assert Decision.objects.get().webhook_error == "HTTP 503"
    assert Case.objects.get().execution == "not_started"


def test_a_crash_with_a_post_in_hand_loses_none(who, secret):
    decided(who)
    assert take() is not None
    assert take() is None
    assert take(made.NOON + LEASE) is not None


def test_after_many_failures_somebody_has_to_ask(who, secret):
    made_ = decided(who)
    Decision.objects.update(webhook_tries=signature.MOST_TRIES)
    operations.post_answered(decision_id=made_.decision_id, fault="HTTP 500", at=made.NOON)
    number = Case.objects.get().number
    assert take(made.later(days=9)) is None
    assert history(subject=f"case:{number}")[-1].verb == "webhook_given_up"
    operations.redeliver(case_id=made_.escalation_id, by=made.ANA, at=made.later(days=9))
    assert take(made.later(days=9)) is not None
    assert history(subject=f"case:{number}")[-1].verb == "redelivery_asked"


def test_what_is_acknowledged_is_not_asked_for_in_vain(who, secret):
    made_ = decided(who)
    made.acknowledged(made_, by=who)
    with pytest.raises(NothingToRedeliver, match="acknowledged"):
        operations.redeliver(case_id=made_.escalation_id, by=made.ANA, at=made.NOON)


def test_what_was_acknowledged_elsewhere_is_not_posted(who, secret):
    made.acknowledged(decided(who), by=who)
    assert take() is None


def test_an_undo_window_holds_the_post_back(who, secret, settings):
    settings.UNDO_WINDOW_S = 10
    made_ = decided(who)
    assert take(made.later(seconds=9)) is None
    operations.retract(case_id=made_.escalation_id, by=made.ANA, at=made.later(seconds=9))
    assert take(made.later(seconds=11)) is None


def test_without_an_address_nothing_is_posted_and_one_taken_off_stops_it(who):
    made_ = decided(who)
    assert take() is None
    with pytest.raises(NothingToRedeliver):
        operations.redeliver(case_id=made_.escalation_id, by=made.ANA, at=made.NOON)
    facts.set_webhook(agent_id=int(who.id), url="http://127.0.0.1:9/in", by=made.ANA, at=made.NOON)
    operations.redeliver(case_id=made_.escalation_id, by=made.ANA, at=made.NOON)
    facts.set_webhook(agent_id=int(who.id), url="", by=made.ANA, at=made.NOON)
    assert take() is None


def test_what_nobody_decided_is_posted_too(who, secret):
    case = made.opened(by=who)
    operations.cancel(case_id=case.id, reason="", by=who, at=made.NOON)
    assert json.loads(take().body)["kind"] == "cancelled"
