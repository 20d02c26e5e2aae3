"""Deploys over HTTP: by agents and those who may command, once each."""

import pytest
from rest_framework.test import APIClient

from telemetry.models import Marker

pytestmark = pytest.mark.django_db


def mark(client, **said):
    return client.post("/api/v1/deploys", {"name": "trip-booker", "version": "3.8.1", **said}, format="json")


def signed_in(person):
    client = APIClient()
    client.force_login(person)
    return client


def test_an_agent_tells_of_its_deploy_once(booker, as_agent):
    client = as_agent(booker)
    at = "2026-11-30T12:00:00+00:00"
    first, again = mark(client, at=at), mark(client, at=at)
    assert (first.status_code, again.status_code) == (201, 200)
    assert (first.json()["new"], again.json()) == (True, {"id": first.json()["id"], "new": False})
    assert Marker.objects.get().agent_id == booker


def test_an_sre_may_and_an_operator_may_not(sre, operator):
    assert mark(signed_in(sre)).status_code == 201
    assert mark(signed_in(operator)).status_code == 403
    assert mark(APIClient()).status_code == 401


@pytest.mark.parametrize(
    "wrong", [{"name": ""}, {"at": "yesterday"}, {"surprise": 1}, {"at": "9999-12-31T00:00:00Z"}]
)
def test_what_cannot_be_read_is_refused_in_the_one_shape(booker, as_agent, wrong):
    answer = mark(as_agent(booker), **wrong)
    assert answer.status_code == 422
    assert set(answer.json()) == {"code", "detail", "errors"}
