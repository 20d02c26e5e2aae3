"""Quiet hours over REST, and what a browser may show."""

import pytest
from django.utils.timezone import now

from console.notices import operations
from console.notices.models import Delivery
from console.notices.vocabulary import State
from tests.console.notices.api.test_channels import client_of
from tests.console.notices.rows import actor, addressed, channel, notice

pytestmark = pytest.mark.django_db
PREFERENCES = "/api/v1/notifications/preferences"


def test_quiet_hours_are_set_and_told(operator):
    client = client_of(operator)
    client.cookies["tz"] = "Asia/Shanghai"
    said = {"quiet_from": "22:00", "quiet_until": "07:30", "urgent_at_once": False}
    assert client.put(PREFERENCES, said, format="json").status_code == 200
    assert client.get(PREFERENCES).json() == {
        "quiet_from": "22:00:00", "quiet_until": "07:30:00", "urgent_at_once": False, "zone": "Asia/Shanghai",
    }  # fmt: skip


@pytest.mark.parametrize(
    "wrong", [{"quiet_from": "22:00"}, {"quiet_from": "25:00", "quiet_until": "07:00"},
              {"quiet_from": "22:00Z", "quiet_until": "07:00Z"}, {"zone": "UTC"}],
)  # fmt: skip
def test_quiet_hours_that_are_none_are_refused(operator, wrong):
    assert client_of(operator).put(PREFERENCES, wrong, format="json").status_code == 422


def test_a_browser_is_given_what_it_may_show_and_says_what_it_showed(operator, rival):
    channel("browser", "", by=actor(operator))
    at = now()
    notice(at=at)
    addressed(at=at)
    operations.offer_one(at=at)
    mine, other = client_of(operator), client_of(rival)
    assert other.get("/api/v1/notifications/offered").json() == {"notices": []}
    (one,) = mine.get("/api/v1/notifications/offered").json()["notices"]
    assert (one["text"], one["detail"], one["link"]) == (
        "C-1 needs a decision",
        "Refund twice? · refund",
        "/cases/C-1/",
    )
    assert other.post("/api/v1/notifications/shown", {"ids": [one["id"]]}, format="json").status_code == 204
    assert Delivery.objects.get().state == State.OFFERED
    assert mine.post("/api/v1/notifications/shown", {"ids": [one["id"]]}, format="json").status_code == 204
    assert Delivery.objects.get().state == State.SENT
    assert mine.get("/api/v1/notifications/offered").json() == {"notices": []}
