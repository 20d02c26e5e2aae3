"""Every address of the API turns a stranger away, in the one shape of every refusal."""

import re
import uuid
from urllib.parse import quote

import pytest
from django.apps import apps
from django.urls import URLPattern, get_resolver
from rest_framework.views import APIView

from console.people.roles import Role
from escalations.models import Case, ChainPost
from tests import factories
from tests.escalations import cast, made

OPEN = {
    "/api/v1/schema": "what the API promises is no secret",
    "/api/v1/asyncapi": "the same",
}
SAMPLES = {"uuid": str(uuid.UUID(int=0)), "int": "1", "str": "x", "slug": "x", "path": "x"}


def api_routes(patterns=None, prefix="/"):
    for entry in get_resolver().url_patterns if patterns is None else patterns:
        path = prefix + re.sub(
            r"<(?:(\w+):)?\w+>", lambda m: SAMPLES.get(m[1] or "str", "x"), str(entry.pattern)
        )
        if not isinstance(entry, URLPattern):
            yield from api_routes(entry.url_patterns, path)
        elif issubclass(getattr(entry.callback, "cls", object), APIView) and path not in OPEN:
            yield path, entry.callback.cls


def cases():
    return [
        pytest.param(path, method, id=f"{method} {path}")
        for path, view in sorted(api_routes(), key=lambda route: route[0])
        for method in ("get", "post", "put", "delete")
        if hasattr(view, method)
    ]


def test_the_api_has_routes():
    assert len(cases()) > 5


@pytest.mark.django_db
@pytest.mark.parametrize(("path", "method"), cases())
def test_every_api_route_turns_strangers_away(client, path, method):
    answer = getattr(client, method)(path, content_type="application/json")
    assert answer.status_code == 401
    assert answer.json()["code"] == "UNAUTHORIZED"
    assert answer["WWW-Authenticate"]


OURS = ("escalations", "telemetry", "notices", "audit", "people")
LEAVES = {"/signout/": "a way out is no link to a change"}
SAYING = "?do=take&action=approve&verb=approve&mode=on&take_over=1&all=1&wait=0&person=ana&back=/queue/"


def everything():
    """Give every row of ours, whatever it is."""
    models = [model for label in OURS for model in apps.get_app_config(label).get_models()]
    return {model.__name__: sorted(map(str, model.objects.values())) for model in models}


def addresses(known, patterns=None, prefix="/"):
    """Give every address there is, about things that are there."""
    for entry in get_resolver().url_patterns if patterns is None else patterns:
        told = str(entry.pattern)
        names = re.findall(r"<(?:\w+:)?(\w+)>", told)
        path = prefix + re.sub(
            r"<(?:\w+:)?(\w+)>", lambda found: quote(known.get(found[1], "1"), safe=""), told
        )
        if not isinstance(entry, URLPattern):
            yield from addresses(known, entry.url_patterns, path)
        elif path not in LEAVES and "token" not in names:
            yield path


@pytest.fixture
def a_bit_of_everything(client, settings):
    """Somebody who may do anything, an agent, a team, a policy, and a case that a chain has told of."""
    settings.UNDO_WINDOW_S = 3600
    client.force_login(factories.person("ana", Role.OPERATOR, Role.ADMIN, Role.SRE))
    agent = factories.agent("trip-booker")
    cast.team(people=["ana"])
    chain = [{"do": "webhook", "url": "https://hooks.example.com/x"}]
    cast.policy("desk", match={"tool": "upgrade.*"}, effect={"chain": chain})
    case = made.opened(by=type(made.AGENT)(made.AGENT.kind, str(agent), "trip-booker"), at=made.real_now())
    made.operations.chain_one(at=made.real_now())
    return case


@pytest.mark.django_db
def test_looking_at_any_address_changes_nothing(client, a_bit_of_everything):
    """Check: GET on any link changes nothing."""
    case, row = a_bit_of_everything, Case.objects.get()
    known = {
        "escalation_id": str(case.id),
        "ref": case.ref,
        "name": "desk",
        "kind": "policy",
        "fingerprint": row.fingerprint,
        "cause_id": row.fingerprint,
        "post_id": str(ChainPost.objects.get().pk),
        "trace_id": row.trace_id,
    }
    found = sorted(set(addresses(known)))
    of_case = [path for path in found if case.ref in path or str(case.id) in path]
    assert {f"/cases/{case.ref}/claim/", f"/cases/{case.ref}/retract/"} < {*of_case}
    looked_at(client, found)
    made.decided(case.id, at=made.real_now())  # what can be done now is another thing: take it back
    looked_at(client, of_case)


def looked_at(client, paths):
    before = everything()
    for path in paths:
        answer = client.get(path + SAYING)
        assert answer.status_code < 500, path
        assert everything() == before, path
