"""A browser shows what was offered; the first one counts, and what none shows ends."""

from datetime import timedelta

import pytest

from console.notices import operations
from console.notices.domain.audience import Audience
from console.notices.models import Delivery
from console.notices.queries.log import offered
from console.notices.vocabulary import State, Topic
from tests.console.notices.rows import actor, addressed, channel, notice, take
from tests.factories import NOON

pytestmark = pytest.mark.django_db


@pytest.fixture
def waiting(operator):
    channel("browser", "", by=actor(operator), topics=[Topic.CASE_ASSIGNED])
    notice(topic=Topic.CASE_ASSIGNED, audience=Audience(people=frozenset({str(operator.pk)})))
    return addressed()[0]


def test_what_is_due_is_offered_and_never_posted(waiting, operator):
    assert take() is None
    assert operations.offer_one(at=NOON)
    assert not operations.offer_one(at=NOON)
    (line,) = offered(person_id=operator.pk, at=NOON)
    assert (line.id, line.item.words["ref"]) == (waiting.pk, "C-1")


def test_the_first_browser_that_shows_it_counts(waiting, operator, rival):
    operations.offer_one(at=NOON)
    assert operations.shown(person_id=rival.pk, deliveries=[waiting.pk], at=NOON) == 0
    assert operations.shown(person_id=operator.pk, deliveries=[waiting.pk], at=NOON) == 1
    assert operations.shown(person_id=operator.pk, deliveries=[waiting.pk], at=NOON) == 0
    assert Delivery.objects.get().state == State.SENT
    assert offered(person_id=operator.pk, at=NOON) == ()


def test_what_no_browser_shows_ends_as_unseen(waiting, operator):
    operations.offer_one(at=NOON)
    assert operations.end_unseen(at=NOON + timedelta(minutes=14)) == 0
    assert operations.end_unseen(at=NOON + timedelta(minutes=15)) == 1
    row = Delivery.objects.get()
    assert (row.state, row.fault) == (State.DROPPED, "unseen")
