"""The whole API is described, valid, and open to read."""

import threading
import time

import pytest
from django.test import RequestFactory
from django.utils.module_loading import import_string
from drf_spectacular import plumbing
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.plumbing import OpenApiGeneratorExtension
from drf_spectacular.validation import validate_schema
from drf_spectacular.views import SpectacularAPIView

from telemetry.api.schema import Schema


@pytest.fixture(scope="module")
def schema():
    with GENERATOR_STATS.silence():
        made = SchemaGenerator().get_schema(request=None, public=True)
        assert (dict(GENERATOR_STATS._warn_cache), dict(GENERATOR_STATS._error_cache)) == ({}, {})
    return made


def test_it_is_valid_openapi_without_a_warning(schema):
    assert schema["openapi"].startswith("3.1")
    validate_schema(schema)


@pytest.mark.parametrize(
    ("path", "verb"),
    [
        ("/api/v1/calls", "post"),
        ("/api/v1/calls", "get"),
        ("/api/v1/calls.jsonl", "get"),
        ("/api/v1/calls/{call_id}", "get"),
        ("/api/v1/deploys", "post"),
        ("/api/v1/labels", "put"),
        ("/api/v1/tools/{name}/not-found", "put"),
        ("/api/v1/causes/rules", "get"),
        ("/api/v1/causes/rules", "post"),
        ("/api/v1/causes/rules/{rule_id}", "delete"),
        ("/api/v1/spikes", "get"),
        ("/api/v1/spikes/mutes", "post"),
        ("/api/v1/spikes/mutes/{mute_id}", "delete"),
        ("/api/v1/spikes/{spike_id}/acknowledgement", "put"),
        ("/api/v1/breakers/events", "post"),
        ("/api/v1/breakers/instances/{instance}", "put"),
        ("/api/v1/breakers/commands", "get"),
        ("/api/v1/breakers/commands/ack", "post"),
        ("/api/v1/breakers/{breaker}/commands", "post"),
    ],
)
def test_every_door_of_telemetry_says_what_it_takes_and_refuses(schema, path, verb):
    told = schema["paths"][path][verb]
    assert told["summary"]
    assert "401" in told["responses"]
    refused = told["responses"]["401"]["content"]["application/json"]["schema"]
    assert refused == {"$ref": "#/components/schemas/Problem"}
    assert {"agentKey": []} in told["security"]


def test_the_fields_of_a_call_are_named_as_they_are_sent(schema):
    failure = schema["components"]["schemas"]["Failure"]["properties"]
    assert "class" in failure
    assert "failure_class" not in failure


@pytest.mark.django_db
def test_it_is_served_to_everybody_as_json(client):
    answer = client.get("/api/v1/schema")
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("application/vnd.oai.openapi+json")
    assert "/api/v1/calls" in answer.json()["paths"]


def test_it_is_written_by_one_thread_at_a_time(monkeypatch):
    inside, most = [], []

    def written(self, request, *args, **kwargs):
        inside.append(1)
        most.append(len(inside))
        time.sleep(0.01)
        inside.pop()

    monkeypatch.setattr(SpectacularAPIView, "dispatch", written)
    threads = [threading.Thread(target=Schema().dispatch, args=[None]) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * 6


@pytest.fixture
def unloaded(monkeypatch):
    """Forget the classes that the library has loaded, as in a fresh process; give the names that it loads then."""
    loaded = []

    def load(name):
        loaded.append(name)
        time.sleep(0.001)  # so that another thread comes
        return import_string(name)

    for kind in OpenApiGeneratorExtension.__subclasses__():
        for extension in kind._registry:
            if isinstance(target := extension.target_class, type):
                monkeypatch.setattr(extension, "target_class", f"{target.__module__}.{target.__qualname__}")
    monkeypatch.setattr(plumbing, "import_string", load)
    return loaded


def test_many_may_ask_for_it_at_once_in_a_fresh_process(schema, unloaded):
    together, told = threading.Barrier(3, timeout=5), []

    def ask():
        together.wait()
        told.append(Schema.as_view()(RequestFactory().get("/api/v1/schema")).status_code)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told == [200] * 3
    assert unloaded
    assert len(unloaded) == len(set(unloaded))
