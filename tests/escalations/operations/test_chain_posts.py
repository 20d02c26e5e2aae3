import json

import pytest

from escalations import operations
from escalations.domain import permissions, signature
from escalations.models import ChainPost
from escalations.queries import secret_shown
from tests.escalations import cast, made

pytestmark = pytest.mark.django_db
URL = "https://hooks.example.com/x"


@pytest.fixture
def case():
    cast.policy(effect={"chain": [{"do": "webhook", "url": URL}]})
    case = made.opened()
    operations.chain_one(at=made.NOON)
    return case


def take(at=made.NOON):
    return operations.take_one_chain_post(at=at)


def test_a_message_is_signed_with_the_secret_of_its_address(case):
    post = take()
    body = json.loads(post.body)
    assert (post.url, body["ref"], body["type"]) == (URL, case.ref, "case.waiting")
    secret = secret_shown(url=URL, actor=cast.ADMIN).secret
    at = made.NOON
    wanted = signature.headers(message_id=str(post.id), body=post.body, secret=secret, at=at)
    assert post.headers == wanted
    with pytest.raises(permissions.NotYours):
        secret_shown(url=URL, actor=made.ANA)


def test_whoever_crashes_with_it_lets_it_come_up_again(case):
    assert take() is not None
    assert take() is None
    assert take(made.later(minutes=2)) is not None
    assert ChainPost.objects.get().tries == 2


def test_a_fault_is_tried_again_and_a_2xx_is_the_end(case):
    post = take()
    operations.chain_post_answered(post_id=post.id, fault="HTTP 500", at=made.NOON)
    row = ChainPost.objects.get()
    assert (row.error, row.due_at > made.NOON) == ("HTTP 500", True)
    again = take(made.later(minutes=1))
    operations.chain_post_answered(post_id=again.id, fault="", at=made.later(minutes=1))
    row.refresh_from_db()
    assert (row.due_at, row.sent_at, row.error) == (None, made.later(minutes=1), "")


def test_what_is_decided_meanwhile_is_not_sent(case):
    """Check: acked or decided item is never paged again."""
    made.decided(case.id)
    assert take() is None
    assert ChainPost.objects.get().error == "Decided before it was sent."


def test_it_is_given_up_after_many_tries_and_the_audit_says_so(case):
    ChainPost.objects.update(tries=signature.MOST_TRIES)
    operations.chain_post_answered(post_id=ChainPost.objects.get().pk, fault="HTTP 500", at=made.NOON)
    assert ChainPost.objects.get().due_at is None
