"""The hot path: the same answers as Django's door, many requests in one transaction, and a queue that says no."""

import asyncio
import gzip
import json
import sys
from functools import partial

import pytest
from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.db import IntegrityError, OperationalError, connection, connections
from django.db.models import Sum
from django.test import override_settings

from console.kit import turns
from telemetry import ingest
from telemetry.domain.tally import EVERYTHING
from telemetry.ingest import shared
from telemetry.models import Call, Ledger, Rollup, Uncounted
from telemetry.operations import writer as writing
from telemetry.operations.counting import count_later
from telemetry.operations.intake import submission
from telemetry.operations.prepare import Knowledge
from telemetry.operations.receiving import receive
from telemetry.operations.store import store
from telemetry.operations.writer import Writer
from tests import factories
from tests.telemetry.calls import NOON, body, call

pytestmark = pytest.mark.django_db(transaction=True)
JSON = "application/json"


@pytest.fixture
async def writer(monkeypatch):
    made = Writer()
    monkeypatch.setattr("telemetry.ingest.calls.writer", made)
    yield made
    made.stop()
    await sync_to_async(connections.close_all)()  # of the thread that async code asks the database in


@pytest.fixture
def key(transactional_db):
    return factories.agent_key(factories.agent())


async def ask(app, data, *, key=None, content_type=JSON, encoding=None, length=True):
    """Send one POST to an ASGI application; give status, headers and JSON."""
    headers = [(b"content-type", content_type.encode()), (b"host", b"localhost")]
    headers += [(b"authorization", f"Bearer {key}".encode())] if key else []
    headers += [(b"content-encoding", encoding.encode())] if encoding else []
    headers += [(b"content-length", str(len(data)).encode())] if length else []
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "path": "/api/v1/calls",
        "raw_path": b"/api/v1/calls",
        "query_string": b"",
        "headers": headers,
        "scheme": "http",
        "server": ("localhost", 80),
        "client": ("127.0.0.1", 1),
    }
    parts = [data[:100], data[100:]] if len(data) > 100 else [data]
    messages = [
        {"type": "http.request", "body": part, "more_body": n + 1 < len(parts)}
        for n, part in enumerate(parts)
    ]
    sent = []

    async def receive():
        return messages.pop(0) if messages else await asyncio.Future()

    async def send(message):
        sent.append(message)

    await app(scope, receive, send)
    head = {name.decode().lower(): value.decode() for name, value in sent[0]["headers"]}
    return (
        sent[0]["status"],
        head,
        json.loads(b"".join(part.get("body", b"") for part in sent[1:]) or b"null"),
    )


BAD = {**call("bad"), "surprise": True}
BODIES = {
    "fine": {"data": body(call("a"), call("b"))},
    "some refused": {"data": body(call("a"), BAD, {"call_id": 7}, "x")},
    "copies": {"data": body(call("a"), call("a"), call("a", rev=1))},
    "gzip": {"data": gzip.compress(body(call("a"))), "encoding": "gzip"},
    "long": {"data": body(*[call(str(n), args={"text": "x" * 300}) for n in range(200)])},
    "hostile": {"data": body(call("a\x00b", args={"\ud800": float("nan"), "n": 10**30, "deep": [[[]]]}))},
    "no key": {"data": body(call("a")), "key": ""},
    "wrong key": {"data": body(call("a")), "key": "sb_aaaaaaaa_bbbb"},
    "wrong type": {"data": body(call("a")), "content_type": "text/plain"},
    "wrong packing": {"data": b"x", "encoding": "br"},
    "no gzip": {"data": b"x", "encoding": "gzip"},
    "no json": {"data": b"{"},
    "no items": {"data": b'{"calls": []}'},
    "too long": {"data": body(call("a", reasoning="x" * 3_000)), "limit": 2_000},
    "too long without a length": {
        "data": body(call("a", reasoning="x" * 3_000)),
        "limit": 2_000,
        "length": False,
    },
}


@pytest.mark.parametrize("what", BODIES)
async def test_both_doors_answer_the_same(what, key, writer):
    asked = {"key": key, **BODIES[what]}
    with override_settings(MAX_BODY_BYTES=asked.pop("limit", 8 * 1024 * 1024)):
        ours = await ask(ingest.calls_app, **asked)
        await sync_to_async(clear)()
        theirs = await ask(ASGIHandler(), **asked)
    status, headers, said = ours
    assert (status, said) == (theirs[0], theirs[2])
    for name in ("content-type", "www-authenticate", "retry-after"):
        assert headers.get(name) == theirs[1].get(name), name


def clear():
    for table in ("telemetry_call", "telemetry_callkey", "telemetry_ledger"):
        with connection.cursor() as cursor:
            cursor.execute(f"DELETE FROM {table}")


async def test_requests_that_wait_together_share_one_transaction(key, writer, monkeypatch):
    flushes = []
    receive = writing.receive
    monkeypatch.setattr(
        writing, "receive", lambda some, **how: flushes.append(len(some)) or receive(some, **how)
    )
    answers = await asyncio.gather(*[ask(ingest.calls_app, body(call(f"c{n}")), key=key) for n in range(40)])
    assert {status for status, _, _ in answers} == {200}
    assert sum(flushes) == 40
    assert len(flushes) < 40
    flushes.clear()
    await asyncio.gather(*[ask(ingest.calls_app, body(call(f"c{n}")), key=key) for n in range(30)])
    assert flushes == [30]  # the key is known by now, so all of them come in one turn of the loop
    assert await Call.objects.acount() == 40


async def test_small_posts_at_the_same_moment_have_long_turns_until_there_is_silence(
    key, writer, monkeypatch
):
    usual, seen = sys.getswitchinterval(), []
    monkeypatch.setattr(turns, "LONG_S", 2 * usual)

    def seeing(some, **how):
        seen.append((len(some) >= writing.SEVERAL, sys.getswitchinterval() > usual))
        return receive(some, **how)

    monkeypatch.setattr(writing, "receive", seeing)
    await asyncio.gather(*[ask(ingest.calls_app, body(call(f"c{n}")), key=key) for n in range(40)])
    assert (True, True) in seen
    assert (True, False) not in seen
    await asyncio.to_thread(writer.stop)
    assert sys.getswitchinterval() == usual


async def test_long_reports_have_turns_as_always(key, writer, monkeypatch):
    usual, seen = sys.getswitchinterval(), set()

    def seeing(some, **how):
        seen.add(sys.getswitchinterval())
        return receive(some, **how)

    monkeypatch.setattr(writing, "receive", seeing)
    many = [body(*[call(f"c{n}-{k}") for k in range(9)]) for n in range(12)]
    await asyncio.gather(*[ask(ingest.calls_app, data, key=key) for data in many])
    assert seen == {usual}


async def test_what_is_answered_is_stored_and_accounted_for(key, writer):
    await asyncio.gather(*[ask(ingest.calls_app, body(call(f"c{n % 7}"), BAD), key=key) for n in range(30)])
    lines = {row.what: row.n async for row in Ledger.objects.all()}
    assert lines == {"received": 60, "stored": 7, "duplicate": 23, "rejected": 30}


async def test_a_flush_that_fails_is_tried_again_request_by_request(key, writer, monkeypatch):
    receive = writing.receive

    def picky(some, **how):
        if any(row.call_id == "bad" for one in some for row in one.rows):
            raise IntegrityError("a row nobody can store")
        return receive(some, **how)

    monkeypatch.setattr(writing, "receive", picky)
    names = [f"c{n}" for n in range(20)] + ["bad"]
    answers = await asyncio.gather(
        *[ask(ingest.calls_app, body(call(name)), key=key) for name in names], return_exceptions=True
    )
    assert [answer[0] for answer in answers[:-1]] == [200] * 20
    assert isinstance(answers[-1], IntegrityError)


async def test_a_database_that_does_not_take_it_is_a_503_that_says_when_to_come_back(
    key, writer, monkeypatch
):
    def locked(some, **_):
        raise OperationalError("database is locked")

    monkeypatch.setattr(writing, "receive", locked)
    status, headers, said = await ask(ingest.calls_app, body(call()), key=key)
    assert (status, said["code"], headers["retry-after"]) == (503, "NOT_STORED", "1")


async def test_a_full_queue_refuses_before_anything_is_read(key, monkeypatch):
    monkeypatch.setattr("telemetry.ingest.calls.writer", Writer(most_rows=0))
    status, headers, said = await ask(ingest.calls_app, b"not even json", key=key)
    assert (status, said["code"], headers["retry-after"]) == (429, "BUSY", "1")


async def test_the_end_of_the_server_writes_what_waits(key, writer):
    asked = [asyncio.create_task(ask(ingest.calls_app, body(call(f"c{n}")), key=key)) for n in range(10)]
    await asyncio.sleep(0)
    await asyncio.gather(*asked)
    await asyncio.to_thread(writer.stop)
    assert await Call.objects.acount() == 10


async def test_a_client_that_goes_in_the_middle_of_its_body_stores_nothing(key, writer):
    async def receive():
        return {"type": "http.disconnect"}

    async def send(message):
        raise AssertionError("nobody is there to be answered")

    headers = [(b"authorization", f"Bearer {key}".encode()), (b"content-type", b"application/json")]
    await ingest.calls_app({"type": "http", "headers": headers}, receive, send)
    assert await Call.objects.acount() == 0


async def test_after_silence_a_report_is_counted_with_its_rows_and_under_load_a_moment_later(
    key, writer, monkeypatch
):
    monkeypatch.setattr(writing, "COUNT_EVERY_S", 3600)
    await ask(ingest.calls_app, body(call("a")), key=key)
    assert await counted() == (1, 0)
    await ask(ingest.calls_app, body(call("b"), call("c")), key=key)
    assert await counted() == (1, 1)
    await asyncio.to_thread(writer.stop)
    assert await counted() == (3, 0)


async def test_what_a_killed_process_had_not_counted_is_counted_at_the_next_start(key, writer):
    said = submission(body(call("a")), agent_id=1, key_id=1, at=NOON, knowledge=Knowledge())
    await sync_to_async(partial(store, [said], counting=count_later))()
    assert await counted() == (0, 1)
    writer.start()
    await asyncio.to_thread(writer.stop)
    assert await counted() == (1, 0)


@sync_to_async
def counted():
    """Give how many operations are counted, and how many commits are not."""
    n = Rollup.objects.filter(agent_id=EVERYTHING, grain=1440, series__kind="s").aggregate(n=Sum("n"))["n"]
    return n or 0, Uncounted.objects.count()


@pytest.mark.skipif(connection.vendor != "sqlite", reason="it is about SQLite's page cache")
async def test_the_thread_that_writes_holds_more_of_the_file_than_those_that_read(key, writer, monkeypatch):
    held = []
    monkeypatch.setattr(writing, "receive", lambda some, **how: held.append(cached()) or receive(some, **how))
    await ask(ingest.calls_app, body(call("a")), key=key)
    assert held == [-8000]
    assert await sync_to_async(cached)() == -2000


def cached():
    """Give SQLite's own number for how much of the file this thread's connection holds."""
    with connection.cursor() as cursor:
        return cursor.execute("PRAGMA cache_size").fetchone()[0]


@pytest.mark.parametrize("app", [ingest.calls_app, ingest.traces_app])
async def test_a_body_that_stops_half_way_is_not_waited_for_without_end(key, writer, monkeypatch, app):
    monkeypatch.setattr(shared, "BODY_WITHIN_S", 0.02)
    sent, parts = [], [{"type": "http.request", "body": b'{"calls"', "more_body": True}]
    headers = [(b"authorization", f"Bearer {key}".encode()), (b"content-type", b"application/json")]

    async def receive():
        return parts.pop(0) if parts else await asyncio.Future()

    async def send(message):
        sent.append(message)

    await app({"type": "http", "headers": headers}, receive, send)
    assert sent[0]["status"] == 408
    assert (b"connection", b"close") in sent[0]["headers"]
