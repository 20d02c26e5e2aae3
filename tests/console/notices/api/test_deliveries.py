"""The log over REST, and another try."""

import pytest

from console.notices.models import Delivery
from console.notices.vocabulary import State
from tests import factories
from tests.console.notices.api.test_channels import client_of
from tests.console.notices.rows import actor, addressed, channel, end, notice, take
from tests.factories import NOON

pytestmark = pytest.mark.django_db
URL = "/api/v1/notifications/deliveries"


def test_the_log_says_how_far_each_notice_has_come_and_every_attempt(operator):
    channel(by=actor(operator), name="pager")
    notice()
    addressed()
    end(take(), fault="HTTP 500")
    (line,) = client_of(operator).get(URL).json()["deliveries"]
    assert (line["text"], line["channel"], line["state"]) == (
        "C-1 needs a decision · Refund twice? · refund", "pager", "waiting",
    )  # fmt: skip
    assert [each["fault"] for each in line["attempts"]] == ["HTTP 500"]


def test_a_person_sees_their_own_and_the_teams_lines_and_an_administrator_all(operator, rival):
    channel(by=actor(operator), name="ana's")
    channel(name="desk")
    notice()
    addressed()
    names = [line["channel"] for line in client_of(rival).get(URL).json()["deliveries"]]
    assert names == ["desk"]
    assert len(client_of(factories.person("root", "admin")).get(URL).json()["deliveries"]) == 2


def test_the_log_is_paged_and_a_cursor_that_was_made_up_is_refused(operator, monkeypatch):
    monkeypatch.setattr("console.notices.api.deliveries.LIMIT", 2)
    channel(by=actor(operator))
    for number in range(5):
        notice(subject_key=f"thing:{number}")
    addressed()
    client, seen, after = client_of(operator), [], ""
    while after is not None:
        page = client.get(URL, {"after": after} if after else {}).json()
        seen += [line["id"] for line in page["deliveries"]]
        after = page["after"]
    assert len(set(seen)) == len(seen) == 5
    assert client.get(URL, {"after": "nonsense"}).status_code == 422


def test_another_try_is_asked_for_by_hand(operator, rival):
    channel(by=actor(operator))
    notice()
    (row,) = addressed()
    Delivery.objects.update(state=State.FAILED, due_at=None, finished_at=NOON)
    assert client_of(rival).post(f"{URL}/{row.pk}/redelivery").status_code == 404
    assert client_of(operator).post(f"{URL}/{row.pk}/redelivery").status_code == 202
    assert Delivery.objects.get().state == State.WAITING


def test_a_misspelt_parameter_is_refused(operator):
    assert client_of(operator).get(f"{URL}?sate=given_up").status_code == 422
