"""Exports over HTTP: both encodings, right answers for every fault, corrections, late parents, transport."""

import asyncio
import gzip
import json

import pytest
from asgiref.sync import sync_to_async
from django.db import connections
from django.test import override_settings
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

from telemetry.ingest import traces_app
from telemetry.models import Call, Ledger, SpanContext
from telemetry.operations.writer import Writer
from telemetry.queries import trace
from tests import factories
from tests.telemetry.spans import TRACE, as_json, as_protobuf, exported, span, tool

pytestmark = pytest.mark.django_db(transaction=True)
JSON, PROTOBUF = "application/json", "application/x-protobuf"


@pytest.fixture
async def key(transactional_db, monkeypatch):
    writer = Writer()
    monkeypatch.setattr("telemetry.ingest.otlp.writer", writer)
    yield await sync_to_async(lambda: factories.agent_key(factories.agent()))()
    writer.stop()
    await sync_to_async(connections.close_all)()


async def send(key, data, *, media=JSON, encoding=None):
    headers = [(b"content-type", media.encode())] + (
        [(b"authorization", f"Bearer {key}".encode())] if key else []
    )
    headers += [(b"content-encoding", encoding.encode())] if encoding else []
    sent, parts = [], [{"type": "http.request", "body": data}]

    async def receive():
        return parts.pop(0) if parts else await asyncio.Future()

    async def answer(message):
        sent.append(message)

    await traces_app({"type": "http", "headers": headers}, receive, answer)
    return sent[0]["status"], dict(sent[0]["headers"]), sent[1]["body"]


def partial(body):
    return json.loads(body).get("partialSuccess")


async def stored():
    return {row.call_id: row async for row in Call.objects.select_related("series", "series__tool")}


@pytest.mark.parametrize(("media", "write"), [(JSON, as_json), (PROTOBUF, as_protobuf)])
async def test_spans_are_stored_in_either_encoding_and_answered_in_the_same(key, media, write):
    export = exported(tool(1), tool(2, tool="pay.capture", error="no"), span(3, name="invoke_agent"))
    status, headers, body = await send(key, write(export), media=f"{media}; charset=utf-8")
    assert (status, headers[b"content-type"]) == (200, media.encode())
    assert (partial(body) is None) if media == JSON else (body == b"")
    assert {row.series.tool.name for row in (await stored()).values()} == {"flight.search", "pay.capture"}


async def test_gzip_is_taken(key):
    status, _, _ = await send(
        key, gzip.compress(as_protobuf(exported(tool()))), media=PROTOBUF, encoding="gzip"
    )
    assert (status, len(await stored())) == (200, 1)


async def test_an_empty_request_is_a_success(key):
    assert (await send(key, b"", media=PROTOBUF))[0] == 200
    assert (await send(key, b"{}"))[0] == 200


async def test_spans_that_cannot_be_taken_are_counted_and_explained_and_the_others_stored(key):
    export = exported({**tool(1), "traceId": "0" * 32}, tool(2))
    _, _, body = await send(key, as_json(export))
    assert partial(body)["rejectedSpans"] == "1"
    assert "trace id" in partial(body)["errorMessage"]
    _, _, body = await send(key, as_protobuf(export), media=PROTOBUF)
    answer = ExportTraceServiceResponse.FromString(body)
    assert answer.partial_success.rejected_spans == 1
    assert len(await stored()) == 1
    await send(key, as_json(exported({**tool(1), "traceId": "0" * 32})))
    lines = {
        (row.what, row.reason): row.n
        async for row in Ledger.objects.values_list("what", "reason", "n", named=True)
    }
    assert lines == {
        ("received", ""): 5, ("stored", ""): 1, ("duplicate", ""): 1, ("rejected", "BAD_SPAN"): 3,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("ask", "status"),
    [
        ({"data": b"{", "media": JSON}, 400),
        ({"data": b"[]", "media": JSON}, 400),
        ({"data": b"\xff\xff", "media": PROTOBUF}, 400),
        ({"data": b"x", "media": JSON, "encoding": "gzip"}, 400),
        ({"data": b"x", "media": "text/plain"}, 415),
        ({"data": b"x" * 2_000, "media": JSON}, 413),
        ({"data": b"{}", "media": JSON, "key": ""}, 401),
    ],
)
async def test_every_fault_has_its_status_and_a_status_message_in_the_encoding_spoken(key, ask, status):
    with override_settings(OTLP_MAX_BODY_BYTES=1_000):
        got, headers, body = await send(**{"key": key, **ask})
    assert got == status
    if ask["media"] == PROTOBUF:
        assert body.startswith(b"\x08\x03\x12")
    else:
        assert set(json.loads(body)) == {"code", "message"}
    assert headers[b"content-type"] == (PROTOBUF if ask["media"] == PROTOBUF else JSON).encode()


async def test_a_full_queue_says_when_to_come_back(key, monkeypatch):
    monkeypatch.setattr("telemetry.ingest.otlp.writer", Writer(most_rows=0))
    status, headers, _ = await send(key, as_json(exported(tool())))
    assert (status, headers[b"retry-after"]) == (429, b"1")


async def test_a_resend_is_a_duplicate_and_a_later_end_corrects(key):
    await send(key, as_json(exported(tool(1, seconds=1))))
    await send(key, as_json(exported(tool(1, seconds=1))))
    await send(key, as_json(exported(tool(1, seconds=3, error="late failure"))))
    await send(key, as_json(exported(tool(1, seconds=2))))
    (row,) = (await stored()).values()
    assert (row.duration_us, bool(row.series.failure_class)) == (3_000_000, True)


async def test_conversation_and_agent_come_from_a_parent_that_comes_late(key):
    await send(key, as_json(exported(tool(3, parent=2))))
    await send(key, as_json(exported(span(2, name="chain", parent=1))))
    await send(
        key,
        as_json(
            exported(
                span(1, name="invoke_agent", gen_ai__conversation__id="s-9", gen_ai__agent__name="booker")
            )
        ),
    )
    found = await sync_to_async(trace)(trace_id=TRACE)
    assert (found.calls[0].session_id, found.calls[0].attributes["agent"]) == ("s-9", "booker")


TRANSPORT = span(
    2,
    name="tools/call flight.search",
    parent=1,
    mcp__method__name="tools/call",
    gen_ai__tool__name="flight.search",
)


@pytest.mark.parametrize("order", [(tool(1), TRANSPORT), (TRANSPORT, tool(1))])
async def test_the_transport_of_a_call_is_counted_once_whichever_comes_first(key, order):
    for one in order:
        assert (await send(key, as_json(exported(one))))[0] == 200
    counted = [row for row in (await stored()).values() if row.series.outcome != "skipped"]
    assert [row.call_id for row in counted] == [f"{TRACE}:{1:016x}"]


async def test_hostile_values_are_neutralised(key):
    hostile = tool(
        1,
        gen_ai__tool__call__arguments={"nul": "a\x00b", "html": "<script>", "big": 2**62},
        gen_ai__tool__call__result=float("nan"),
        session__id="s\x00",
    )
    status, _, _ = await send(key, as_json(exported(hostile)).replace(b"<script>", b"\\ud800<script>"))
    assert status == 200
    (row,) = (await stored()).values()
    assert "\\u0000" not in row.detail
    assert await SpanContext.objects.acount() == 1


async def test_another_agents_spans_do_not_touch_ours(key):
    other = await sync_to_async(lambda: factories.agent_key(factories.agent("other")))()
    await send(key, as_json(exported(span(1, name="invoke_agent", gen_ai__conversation__id="ours"))))
    await send(other, as_json(exported(span(1, name="invoke_agent", gen_ai__conversation__id="theirs"))))
    assert await SpanContext.objects.acount() == 2
