"""An acknowledged report is stored: the console is killed in the middle of reporting, again and again."""

import http.client
import json
import sqlite3
import threading
import time
import uuid
from contextlib import closing
from datetime import UTC, datetime
from urllib.parse import urlsplit

import psycopg
import pytest

REPORTERS, KILLS, BATCH = 4, 3, 7
LEAST_ACKNOWLEDGED = 60


class Reporter(threading.Thread):
    """Posts batches without end; keeps what was answered, and repeats what was not, as an SDK does."""

    def __init__(self, house, key, n):
        super().__init__(daemon=True)
        self.house, self.key, self.n = house, key, n
        self.acknowledged = []
        self.sent = 0
        self.over = threading.Event()

    def run(self):
        batch = self.batch()
        while not self.over.is_set():
            try:
                answer = self.post(batch)
            except (OSError, http.client.HTTPException):
                time.sleep(0.02)  # the console is down: the same batch again
                continue
            assert answer["accepted"] + answer["duplicate"] == BATCH, answer
            self.acknowledged += [call["call_id"] for call in batch]
            batch = self.batch()

    def batch(self):
        self.sent += BATCH
        return [
            {
                "call_id": f"{self.n}-{uuid.uuid4().hex}",
                "trace_id": uuid.uuid4().hex,
                "tool": f"tool.{self.n}",
                "side_effect": "read",
                "started_at": datetime.now(UTC).isoformat(),
                "duration_ms": 12.5,
                "evidence": {"http_status": 503},
            }
            for _ in range(BATCH)
        ]

    def post(self, batch):
        connection = http.client.HTTPConnection(urlsplit(self.house.url).netloc, timeout=10)
        try:
            connection.request(
                "POST",
                "/api/v1/calls",
                json.dumps({"calls": batch}),
                {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"},
            )
            answer = connection.getresponse()
            body = answer.read()
            if answer.status not in {200, 207}:
                raise OSError(answer.status)
            return json.loads(body)
        finally:
            connection.close()


@pytest.fixture
def reporters(house):
    key = house.manage("agent", "create", "reporter").split()[-1]
    started = [Reporter(house, key, n) for n in range(REPORTERS)]
    yield started
    for one in started:
        one.over.set()
    for one in started:
        one.join(20)


def wait_for_more(reporters, count):
    """Wait until that many more batches were acknowledged, whoever sent them."""
    goal = sum(len(one.acknowledged) for one in reporters) + count * BATCH
    until = time.monotonic() + 60
    while sum(len(one.acknowledged) for one in reporters) < goal:
        assert time.monotonic() < until, "nothing is acknowledged any more"
        time.sleep(0.01)


def stored(house):
    """Read what is in the database: ids of calls, the counters' sum, the ledger's sums by word."""
    with closing(connection(house)) as rows:
        until = time.monotonic() + 10
        while rows.execute("SELECT count(*) FROM telemetry_uncounted").fetchone()[0]:
            assert time.monotonic() < until, "what was put off is never counted"
            time.sleep(0.01)
        ids = {row[0] for row in rows.execute("SELECT call_id FROM telemetry_callkey").fetchall()}
        counted = rows.execute(
            "SELECT SUM(n) FROM telemetry_rollup r JOIN telemetry_series s ON s.id = r.series_id "
            "WHERE r.grain = 1 AND s.kind = 'o' AND s.agent_id <> 0"
        ).fetchone()[0]
        ledger = dict(rows.execute("SELECT what, SUM(n) FROM telemetry_ledger GROUP BY what").fetchall())
    return ids, counted, ledger


def connection(house):
    if "DATABASE_URL" in house.env:
        return psycopg.connect(house.env["DATABASE_URL"])
    return sqlite3.connect(house.home / "switchboard.sqlite3")


def test_killed_while_agents_report_it_loses_nothing_that_it_acknowledged(house, reporters):
    for one in reporters:
        one.start()
    for _ in range(KILLS):
        wait_for_more(reporters, 8)
        house.kill()
        house.restart()
    wait_for_more(reporters, 8)
    for one in reporters:
        one.over.set()
    for one in reporters:
        one.join(20)

    acknowledged = {call_id for one in reporters for call_id in one.acknowledged}
    ids, counted, ledger = stored(house)
    assert len(acknowledged) >= LEAST_ACKNOWLEDGED
    assert acknowledged <= ids
    assert counted == len(ids) == ledger["stored"]
    assert ledger["received"] == sum(n for what, n in ledger.items() if what != "received")
    assert house.manage("recount").strip().endswith("all equal")
