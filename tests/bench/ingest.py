"""How many calls a second are reported, stored and queryable: real HTTP, both ends on this machine, durable.

`manage.py bench ingest [--database sqlite|postgresql] [--workers N] [--rounds 5] [--seconds 3]`

SQLite is one process. PostgreSQL comes with Valkey and two processes, as `docs/operations.md` runs it.

Every round measures the store itself first (`load.limits`: the same rows of calls in the same kind of database, durable
commits, nobody in front), then the console, so that a machine that is busy is busy for both; the ratio of each round is
taken, and figures are medians. At the end what was answered must be what is stored, and what the counters say.

`SWITCHBOARD_BENCH_MLFLOW=/path/to/python` of an environment with MLflow runs MLflow's server beside it, in the same run.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from tests.bench.load import limits, mlflow
from tests.bench.load.reports import BATCH, PROTOBUF, call, exported_spans, posted, request
from tests.bench.load.server import console
from tests.bench.load.wire import pour
from tests.services.postgres import postgres
from tests.services.valkey import valkey

CONNECTIONS = 16
KINDS = {
    "batches of 100": (BATCH, lambda key: posted(key, [call() for _ in range(BATCH)])),
    "OTLP batches of 100": (BATCH, lambda key: request(key, "/v1/traces", exported_spans(BATCH), PROTOBUF)),
    "single posts": (1, lambda key: posted(key, [call()])),
}
STORED = "SELECT count(*) FROM telemetry_call"
UNCOUNTED = "SELECT count(*) FROM telemetry_uncounted"
SETTLES_WITHIN_S = 1
COUNTED = """SELECT sum(r.n) FROM telemetry_rollup r JOIN telemetry_series s ON s.id = r.series_id
WHERE r.agent_id = 0 AND r.grain = 1440 AND s.kind = 'o'"""


@dataclass
class Measured:
    """Rounds of one kind."""

    rates: list[float] = field(default_factory=list)
    limits: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    @property
    def share(self):
        return statistics.median(rate / limit for rate, limit in zip(self.rates, self.limits, strict=True))


def one_round(serving, limit, kind, seconds, measured):
    """Measure the store, then the console; give how many calls it answered."""
    rows, make = KINDS[kind]
    measured.limits.append(limit.rate(rows, seconds / 2))
    prepared = [make(serving.key) for _ in range(int(seconds * (400 if rows > 1 else 6_000)))]
    before = serving.cpu()
    done, took = pour(serving.port, prepared, seconds, CONNECTIONS)
    measured.cpu.append((serving.cpu() - before) / (done * rows) * 1e6)
    measured.rates.append(done * rows / took)
    if done == len(prepared):
        print(f"  ({kind}: all {done} prepared requests were taken, the figure is a lower bound)")
    return done * rows


def told(kind, measured):
    rate, limit, cpu = (statistics.median(each) for each in (measured.rates, measured.limits, measured.cpu))
    spread = f"{min(measured.rates):,.0f} to {max(measured.rates):,.0f}"
    print(
        f"{kind}: {rate:,.0f} calls/s ({spread}); the store itself {limit:,.0f} rows/s: {measured.share:.0%}; "
        f"the console's processor time {cpu:.0f} µs a call"
    )


def query(database, sql):
    if database.startswith("postgresql"):
        with psycopg.connect(database) as connection:
            return int(connection.execute(sql).fetchone()[0])
    return int(limits.sqlite3.connect(database).execute(sql).fetchone()[0])


def main(argv):
    parser = argparse.ArgumentParser(prog="bench ingest")
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--workers", type=int, default=2, help="of PostgreSQL; SQLite is one process")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0)
    options = parser.parse_args(argv)
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        env = {**os.environ, "SWITCHBOARD_DATA": folder}
        if options.database == "postgresql":
            database, workers = stack.enter_context(postgres(durable=True)), options.workers
            env |= {"DATABASE_URL": database, "REDIS_URL": stack.enter_context(valkey())}
            limit = limits.postgresql_limit(database)
        else:
            database, workers = f"{folder}/switchboard.sqlite3", 1
            limit = limits.sqlite_limit(Path(folder) / "limit.sqlite3")
        measure(options, stack.enter_context(console(env, workers=workers)), limit, database)


def measure(options, serving, limit, database):
    found = {kind: Measured() for kind in KINDS}
    answered = 0
    beside = mlflow.beside()
    for _ in range(options.rounds):
        for kind, measured in found.items():
            answered += one_round(serving, limit, kind, options.seconds, measured)
        if beside:
            beside.round(options.seconds)
    print(f"{options.database}, {options.rounds} rounds of {options.seconds:g} s, medians:")
    for kind, measured in found.items():
        told(kind, measured)
    batches, otlp = (
        statistics.median(found[kind].rates) for kind in ("batches of 100", "OTLP batches of 100")
    )
    print(f"OTLP protobuf is {otlp / batches:.0%} of the JSON rate")
    if beside:
        beside.told(batches)
    until = time.monotonic() + SETTLES_WITHIN_S
    while query(database, UNCOUNTED) and time.monotonic() < until:
        time.sleep(0.01)
    stored, counted = query(database, STORED), query(database, COUNTED)
    print(f"{answered:,} answered, {stored:,} stored, {counted:,} counted")
    if not answered == stored == counted:
        raise SystemExit("These three must be the same.")


if __name__ == "__main__":
    main(sys.argv[1:])
