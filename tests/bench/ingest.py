"""How many calls a second are reported, stored and queryable: real HTTP, both ends on this machine, durable.

`manage.py bench ingest [--database sqlite|postgresql] [--rounds 5] [--seconds 3]`

In the same run it measures what the store itself can do with the same rows and indexes and nobody in front of it:
the ratio is what says how much of the store's speed is left. Figures are medians.
"""

import argparse
import asyncio
import json
import os
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg

from console.bootstrap import children
from console.kit.connections import SQLITE_PRAGMAS
from tests.live.house import MANAGE, free_port, manage
from tests.services.postgres import postgres
from tests.telemetry.spans import as_protobuf, exported, tool

BATCH, CONNECTIONS, BATCH_CONNECTIONS = 100, 16, 8
TOOLS = [f"tool.{n}" for n in range(10)]
READY_WITHIN_S = 60
COLUMNS = (
    "id", "series_id", "call_id", "rev", "trace_id", "bucket", "started_at", "duration_us", "attempts", "recovery_us",
    "fingerprint", "detail",
)  # fmt: skip
LIKE = """CREATE TABLE bench_call (id bigint PRIMARY KEY, series_id bigint NOT NULL, call_id varchar(128) NOT NULL,
rev integer NOT NULL, trace_id varchar(64) NOT NULL, bucket integer NOT NULL, started_at {time} NOT NULL,
duration_us bigint NOT NULL, attempts integer NOT NULL, recovery_us bigint NOT NULL, fingerprint bigint NOT NULL,
detail text NOT NULL);
CREATE INDEX bench_series ON bench_call (series_id, id); CREATE INDEX bench_trace ON bench_call (trace_id)"""


def time_ordered():
    """A UUID version 7: what the SDK makes."""
    value = (time.time_ns() // 1_000_000 << 80) | (7 << 76) | (random.getrandbits(12) << 64) | (2 << 62)
    text = f"{value | random.getrandbits(62):032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def call():
    """One call of about half a kilobyte; six of a hundred recovered, two failed."""
    started = (datetime.now(UTC) - timedelta(milliseconds=200)).isoformat()
    made = {
        "call_id": time_ordered(),
        "trace_id": f"{random.getrandbits(128):032x}",
        "tool": random.choice(TOOLS),
        "side_effect": "read",
        "started_at": started,
        "duration_ms": round(random.lognormvariate(5, 0.8), 1),
        "outcome": "succeeded",
        "session_id": "s-88c1",
        "instance": "sh-3-4711-a0b1c2d3",
        "agent_version": "3.8.1",
        "args": {"from": "VIE", "to": "LIS", "date": "2026-12-24", "adults": 2},
        "result": {"offers": [{"id": n, "price": 120.5 + n} for n in range(3)]},
    }
    luck = random.random()
    if luck < 0.06:
        attempt = {"started_at": started, "duration_ms": 100}
        tries = [
            {"n": 1, "class": "transient", "code": "TIMEOUT", **attempt},
            {"n": 2, "wait_ms": 500, **attempt},
        ]
        made |= {"outcome": "recovered", "attempts": tries, "recovery": {"by": "retry", "latency_ms": 900}}
        made["failure"] = {"class": "transient", "code": "TIMEOUT"}
    elif luck < 0.08:
        made |= {
            "outcome": "failed",
            "failure": {"class": "hard", "code": "NOT_FOUND", "message": "no such offer"},
        }
    return made


def request(key, path, body, media="application/json"):
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\nContent-Type: {media}\r\n"
    )
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def span(_):
    return {
        **tool(1, tool=random.choice(TOOLS), gen_ai__tool__call__arguments='{"from": "VIE", "to": "LIS"}'),
        "traceId": f"{random.getrandbits(128):032x}",
        "spanId": f"{random.getrandbits(64) | 1:016x}",
        "startTimeUnixNano": str(time.time_ns() - 200_000_000),
        "endTimeUnixNano": str(time.time_ns()),
    }


KINDS = {
    "batches of 100": (BATCH, BATCH_CONNECTIONS, lambda key: request(
        key, "/api/v1/calls", json.dumps({"calls": [call() for _ in range(BATCH)]}).encode())),
    "single posts": (1, CONNECTIONS, lambda key: request(
        key, "/api/v1/calls", json.dumps({"calls": [call()]}).encode())),
    "OTLP batches of 100": (BATCH, BATCH_CONNECTIONS, lambda key: request(
        key, "/v1/traces", as_protobuf(exported(*[span(n) for n in range(BATCH)])), "application/x-protobuf")),
}  # fmt: skip


async def pour(port, requests, seconds, connections):
    """Send prepared requests over keep-alive connections for so long; give how many were answered well."""
    left = iter(requests)
    done = 0
    until = time.perf_counter() + seconds

    async def one():
        nonlocal done
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for data in left:
            if time.perf_counter() > until:
                break
            writer.write(data)
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
            body = await reader.readexactly(length)
            if not head.startswith(b"HTTP/1.1 200"):
                raise SystemExit(f"{head.decode()}{body[:500].decode()}")
            done += 1
        writer.close()

    started = time.perf_counter()
    await asyncio.gather(*[one() for _ in range(connections)])
    return done, time.perf_counter() - started


def rounds(port, key, kind, options):
    """Give rows a second of each round."""
    rows, connections, make = KINDS[kind]
    prepared = int(options.seconds * (400 if rows > 1 else 6_000))
    rates = []
    for _ in range(options.rounds):
        requests = [make(key) for _ in range(prepared)]
        done, took = asyncio.run(pour(port, requests, options.seconds, connections))
        if done == prepared:
            print(f"  ({kind}: all {prepared} prepared requests were taken, the figure is a lower bound)")
        rates.append(done * rows / took)
    return rates


def rows_of(count):
    """Rows as the console stores them."""
    now = time.time_ns() // 1_000
    return [
        (
            (now + n) << 12, random.choice(range(40)), made["call_id"], 0, made["trace_id"], 29_000_000,
            "2026-11-30 12:00:00", 120_500, 1, 0, 0, json.dumps(made)[120:],
        )
        for n, made in ((n, call()) for n in range(count))
    ]  # fmt: skip


def limit_of_sqlite(folder, per_commit, seconds):
    path = Path(folder) / f"limit-{per_commit}.sqlite3"
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript(SQLITE_PRAGMAS + LIKE.format(time="datetime"))
    insert = f"INSERT INTO bench_call ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"

    def commit(rows):
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(insert, rows)
        connection.execute("COMMIT")

    return _limit(commit, per_commit, seconds)


def limit_of_postgresql(url, per_commit, seconds):
    with psycopg.connect(url) as connection:
        connection.execute("DROP TABLE IF EXISTS bench_call")
        for statement in LIKE.format(time="timestamptz").split(";"):
            connection.execute(statement)
        connection.commit()

        def commit(rows):
            with connection.cursor().copy(f"COPY bench_call ({', '.join(COLUMNS)}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            connection.commit()

        return _limit(commit, per_commit, seconds)


def _limit(commit, per_commit, seconds):
    rows = rows_of(int(seconds * (60_000 if per_commit > 1 else 6_000)))
    started, done = time.perf_counter(), 0
    while time.perf_counter() < started + seconds and done + per_commit <= len(rows):
        commit(rows[done : done + per_commit])
        done += per_commit
    return done / (time.perf_counter() - started)


@contextmanager
def console(env):
    """A console of its own; give its port and an agent's key."""
    port = free_port()
    manage(env, "migrate", "-v0")
    key = manage(env, "agent", "create", "bench").split()[-1]
    serving = children.start("console", [*MANAGE, "serve", "--port", str(port)], env=env)
    try:
        asyncio.run(ready(port))
        yield port, key
    finally:
        children.stop([serving])


async def ready(port):
    for _ in range(READY_WITHIN_S * 10):
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            if b"200" in await reader.readline():
                return
        except OSError:
            await asyncio.sleep(0.1)
    raise SystemExit("The console did not start.")


def main(argv):
    parser = argparse.ArgumentParser(prog="bench ingest")
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0)
    options = parser.parse_args(argv)
    server = postgres(durable=True) if options.database == "postgresql" else nullcontext()
    with tempfile.TemporaryDirectory() as folder, server as url:
        env = {**os.environ, "SWITCHBOARD_DATA": folder, **({"DATABASE_URL": url} if url else {})}
        limit = (
            (lambda n, s: limit_of_postgresql(url, n, s))
            if url
            else (lambda n, s: limit_of_sqlite(folder, n, s))
        )
        with console(env) as (port, key):
            limits = {n: statistics.median(limit(n, options.seconds) for _ in range(1)) for n in (BATCH, 1)}
            print(
                f"{options.database}: the store itself {limits[BATCH]:,.0f} rows/s at 100 a commit, {limits[1]:,.0f} at 1"
            )
            for kind, (rows, _, _) in KINDS.items():
                rates = rounds(port, key, kind, options)
                rate = statistics.median(rates)
                share = rate / limits[rows if rows == 1 else BATCH]
                spread = f"{min(rates):,.0f} to {max(rates):,.0f}"
                print(f"{kind}: {rate:,.0f} calls/s ({spread}), {share:.0%} of the store")


if __name__ == "__main__":
    main(sys.argv[1:])
