"""The door for servers without ASGI, and its place in the schema: what it answers is what the ASGI function answers."""

import asyncio
import gzip

import pytest
from asgiref.sync import async_to_sync
from django.db import connections

from telemetry.ingest import traces_app
from telemetry.models import Call
from telemetry.operations.writer import Writer
from tests import factories
from tests.telemetry.spans import as_json, as_protobuf, exported, tool

pytestmark = pytest.mark.django_db(transaction=True)
JSON, PROTOBUF = "application/json", "application/x-protobuf"
FINE, BAD = exported(tool(1)), exported({**tool(1), "traceId": "0" * 32}, tool(2))
ASKS = {
    "protobuf": (PROTOBUF, as_protobuf(FINE), {}),
    "json": (JSON, as_json(FINE), {}),
    "gzip": (PROTOBUF, gzip.compress(as_protobuf(FINE)), {"content-encoding": "gzip"}),
    "a span that cannot be taken": (PROTOBUF, as_protobuf(BAD), {}),
    "nothing": (PROTOBUF, b"", {}),
    "no protobuf": (PROTOBUF, b"\xff\xff", {}),
    "no json": (JSON, b"{", {}),
    "another type": ("text/plain", b"x", {}),
    "another packing": (JSON, b"x", {"content-encoding": "br"}),
    "too long": (JSON, b"x" * 2_000, {}),
}


@pytest.fixture
def key(transactional_db, monkeypatch, settings):
    settings.OTLP_MAX_BODY_BYTES = 1_000
    writer = Writer()
    monkeypatch.setattr("telemetry.ingest.otlp.writer", writer)
    yield factories.agent_key(factories.agent())
    writer.stop()


def by_asgi(key, media, data, headers):
    sent, parts = [], [{"type": "http.request", "body": data}]
    told = {
        "content-type": media,
        "authorization": f"Bearer {key}",
        "content-length": str(len(data)),
        **headers,
    }

    async def receive():
        return parts.pop(0) if parts else await asyncio.Future()

    async def answer(message):
        sent.append(message)

    async def run():
        raw = [(name.encode(), value.encode()) for name, value in told.items()]
        await traces_app({"type": "http", "headers": raw}, receive, answer)

    async_to_sync(run)()
    connections.close_all()
    return sent[0]["status"], dict(sent[0]["headers"])[b"content-type"].decode(), sent[1]["body"]


@pytest.mark.parametrize("name", ASKS)
def test_both_doors_answer_the_same(client, key, name):
    media, data, headers = ASKS[name]
    said = {"authorization": f"Bearer {key}", "accept": media, **headers}
    answer = client.post("/v1/traces", data, content_type=media, headers=said, CONTENT_TYPE=media)
    told = (answer.status_code, answer["content-type"], answer.content)
    assert told == by_asgi(key, media, data, headers)


def test_it_stores(client, key):
    answer = client.post(
        "/v1/traces", as_protobuf(FINE), content_type=PROTOBUF, headers={"authorization": f"Bearer {key}"}
    )
    assert (answer.status_code, Call.objects.count()) == (200, 1)


def test_a_stranger_finds_in_the_schema_how_to_point_an_exporter_here(client):
    said = client.get("/api/v1/schema").json()["paths"]["/v1/traces"]["post"]
    assert set(said["requestBody"]["content"]) == {PROTOBUF, JSON}
    assert "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT" in said["description"]
    assert {"200", "400", "401", "413", "415", "429", "503"} == set(said["responses"])
