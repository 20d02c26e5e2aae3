"""The page of the outbox."""

import uuid

import pytest

from console.notices.domain.words import Words
from console.notices.models import Delivery
from console.notices.vocabulary import Dropped, State
from tests import factories
from tests.console.notices.rows import actor, addressed, channel, end, notice, take
from tests.factories import NOON

pytestmark = pytest.mark.django_db
HOSTILE = '"><script>alert(1)</script>'


@pytest.fixture
def mine(client, operator):
    client.force_login(operator)
    return client


def page(client, query=""):
    answer = client.get(f"/outbox/{query}")
    assert answer.status_code == 200
    return answer.content.decode()


def test_nothing_is_said_to_be_nothing(mine):
    assert "Nothing." in page(mine)


def test_a_line_says_what_where_how_far_and_with_which_attempts(mine, operator):
    channel(by=actor(operator), name=HOSTILE)
    notice(words=Words(ref="C-1", title=HOSTILE))
    addressed()
    end(take(), fault=HOSTILE)
    text = page(mine)
    assert "C-1 needs a decision" in text
    assert "1 attempt" in text
    assert "waiting" in text
    assert HOSTILE not in text


def test_it_is_narrowed_by_state_and_channel(mine, operator):
    first, second = (
        channel(by=actor(operator), name="one-of-two"),
        channel(by=actor(operator), name="two-of-two"),
    )
    notice()
    addressed()
    Delivery.objects.filter(channel_id=first).update(
        state=State.DROPPED, fault=Dropped.NOT_WANTED, due_at=None, finished_at=NOON
    )
    assert "decided or over" in page(mine, "?state=dropped")
    assert "two-of-two" not in page(mine, "?state=dropped")
    assert "one-of-two" not in page(mine, f"?channel={second}")
    assert "Nothing." in page(mine, "?state=nonsense&channel=nonsense99")


def test_another_try_is_one_button_for_whoever_may(mine, operator, client):
    channel(by=actor(operator))
    channel(name="desk")
    notice()
    addressed()
    Delivery.objects.update(state=State.FAILED, fault="HTTP 500", due_at=None, finished_at=NOON)
    assert page(mine).count("Send again") == 1
    row = Delivery.objects.get(channel__person=operator)
    assert mine.post(f"/outbox/{row.pk}/redelivery/").status_code == 302
    assert Delivery.objects.get(pk=row.pk).state == State.WAITING
    team = Delivery.objects.get(channel__person=None)
    mine.post(f"/outbox/{team.pk}/redelivery/")
    mine.post(f"/outbox/{uuid.uuid4()}/redelivery/")
    assert Delivery.objects.get(pk=team.pk).state == State.FAILED
    client.force_login(factories.person("root", "admin"))
    client.post(f"/outbox/{team.pk}/redelivery/")
    assert Delivery.objects.get(pk=team.pk).state == State.WAITING


def test_a_long_log_has_older_lines_and_a_made_up_cursor_leads_nowhere(mine, operator, monkeypatch):
    monkeypatch.setattr("console.notices.pages.log.PAGE", 2)
    channel(by=actor(operator))
    for number in range(3):
        notice(subject_key=f"thing:{number}")
    addressed()
    assert "Older" in page(mine)
    assert mine.get("/outbox/?after=nonsense").status_code == 404
