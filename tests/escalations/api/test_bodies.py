"""What a request may say, before what it says is looked at."""

import json

import pytest

from tests.escalations import made
from tests.escalations.doors import CASES, agent_door, door_of

pytestmark = pytest.mark.django_db
STRANGE = ("text/plain", "application/x-www-form-urlencoded", "application/jsonlines", "")


@pytest.mark.parametrize("media", STRANGE)
def test_what_does_not_say_that_it_is_json_is_not_read(media):
    told = agent_door("trip-booker").client.generic(
        "POST", CASES, json.dumps(made.package()), content_type=media
    )
    assert (told.status_code, told.json()["errors"][0]["code"]) == (415, "CONTENT_TYPE")


@pytest.mark.parametrize("media", ["application/json; charset=utf-8", "Application/JSON"])
def test_json_is_known_by_its_name_whatever_its_parameters(media):
    told = agent_door("trip-booker").client.generic(
        "POST", CASES, json.dumps(made.package()), content_type=media
    )
    assert told.status_code == 201


@pytest.mark.parametrize("media", ["", "text/plain"])
def test_a_body_that_may_be_left_out_needs_no_name_while_it_is(media):
    path = f"{CASES}/{made.opened().id}/claim"
    ana = door_of("ana", "operator").client
    assert ana.generic("POST", path, b"", content_type=media).status_code == 201
    assert ana.generic("POST", path, b"{}", content_type=media).status_code == 415
