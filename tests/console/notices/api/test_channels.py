"""Channels over REST: the same rules as on the pages, in the shapes of the contract."""

import pytest
from rest_framework.test import APIClient

from console.notices.models import Channel
from tests import factories
from tests.console.notices.rows import channel

pytestmark = pytest.mark.django_db
URL = "/api/v1/notifications/channels"
HOOK = "https://hooks.example.com/in/abcdef"


def client_of(person):
    client = APIClient()
    client.force_login(person)
    return client


@pytest.fixture
def mine(operator):
    return client_of(operator)


def new(client, **more):
    said = {"kind": "webhook", "name": "pager", "address": HOOK, "topics": ["case_due"]} | more
    return client.post(URL, said, format="json")


def test_a_channel_is_made_listed_changed_paused_tested_and_removed(mine):
    made = new(mine)
    assert (made.status_code, made.json()["address"]) == (201, "https://hooks.example.com/…cdef")
    assert len(made.json()["secret"]) > 30
    (listed,) = mine.get(URL).json()["channels"]
    assert (listed["name"], listed["team"], "secret" in listed) == ("pager", False, False)
    one = f"{URL}/{listed['id']}"
    said = {"name": "phone", "topics": ["case_opened"], "queues": ["refunds"], "base_version": 1}
    assert mine.put(one, said, format="json").json()["queues"] == ["refunds"]
    stale = mine.put(one, said, format="json")
    assert (stale.status_code, stale.json()["code"]) == (409, "CHANGED_MEANWHILE")
    assert mine.post(f"{one}/test").status_code == 202
    assert mine.post(f"{one}/pause").json()["paused_at"]
    assert mine.post(f"{one}/test").status_code == 409
    assert mine.delete(f"{one}/pause").json()["paused_at"] is None
    assert mine.delete(one).status_code == 204
    assert mine.get(URL).json() == {"channels": []}
    assert mine.delete(one).status_code == 404


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "pigeon"}, {"topics": ["test_of_mine"]}, {"digest_minutes": -1}, {"digest_minutes": "5"},
        {"name": ""}, {"language": "xx"}, {"extra": 1}, {"address": "http://169.254.169.254/latest"},
        {"address": "x" * 501}, {"queues": ["q" * 121]},
    ],
)  # fmt: skip
def test_what_breaks_the_contract_is_refused_with_the_field(mine, wrong):
    answer = new(mine, **wrong)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"].startswith(next(iter(wrong)))
    assert not Channel.objects.exists()


def test_a_team_channel_is_an_administrators(mine):
    assert new(mine, team=True).status_code == 403
    admin = client_of(factories.person("root", "admin"))
    assert new(admin, team=True).status_code == 201
    assert [each["team"] for each in mine.get(URL).json()["channels"]] == [True]


def test_somebody_elses_channel_is_not_there(mine, rival):
    other = new(client_of(rival)).json()["id"]
    assert mine.delete(f"{URL}/{other}").status_code == 404
    assert mine.post(f"{URL}/{other}/test").status_code == 404


def test_an_agents_key_is_refused_everywhere():
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {factories.agent_key(factories.agent())}")
    name, rest = channel(), "/api/v1/notifications"
    settings = {"name": "x", "address": HOOK, "topics": []}
    for method, path, body in (
        ("get", URL, None),
        ("post", URL, {**settings, "kind": "webhook"}),
        ("put", f"{URL}/{name}", {**settings, "base_version": 1}),
        ("delete", f"{URL}/{name}", None),
        ("post", f"{URL}/{name}/pause", None),
        ("post", f"{URL}/{name}/test", None),
        ("get", f"{rest}/deliveries", None),
        ("get", f"{rest}/preferences", None),
        ("put", f"{rest}/preferences", {}),
        ("get", f"{rest}/offered", None),
        ("post", f"{rest}/shown", {"ids": ["00000000-0000-0000-0000-000000000000"]}),
    ):
        answer = getattr(client, method)(path, body, format="json")
        assert (method, path, answer.status_code) == (method, path, 403)
    assert Channel.objects.get().removed_at is None
