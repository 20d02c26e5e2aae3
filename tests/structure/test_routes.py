"""Every address of the API turns a stranger away, in the one shape of every refusal."""

import re
import uuid

import pytest
from django.urls import URLPattern, get_resolver
from rest_framework.views import APIView

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
