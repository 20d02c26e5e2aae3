"""Whoever asks over REST is a person with a live token, or is left to the next door."""

from datetime import UTC, datetime

import pytest
from rest_framework.test import APIRequestFactory

from console.kit.actor import SYSTEM
from console.kit.http import NotSignedIn
from console.people import operations
from console.people.auth import PersonalTokenAuthentication
from console.people.models import User

AT = datetime(2026, 11, 30, 14, 6, 31, tzinfo=UTC)

pytestmark = pytest.mark.django_db(transaction=True)


def asked(header):
    request = APIRequestFactory().get("/", HTTP_AUTHORIZATION=header)
    return PersonalTokenAuthentication().authenticate(request)


def test_a_live_token_gives_its_person():
    operations.ensure_first_operator(at=AT)
    person = User.objects.get()
    token = operations.issue_token(person_id=person.pk, label="ci", by=SYSTEM, at=AT)
    assert asked(f"Bearer {token}")[0] == person


@pytest.mark.parametrize("header", ["", "Basic x", "Bearer sb_12345678_x", "Bearer"])
def test_what_is_not_ours_is_left_to_the_next_door(header):
    assert asked(header) is None


def test_a_token_that_is_not_live_is_refused():
    with pytest.raises(NotSignedIn):
        asked("Bearer sbp_nobody")
