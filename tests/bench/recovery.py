"""What the recovery kit adds to a call, against the libraries that do one part of it each.

Processor time, medians, one run; a journal's by the wall clock, because a disk is waited for. What it is compared with
(tenacity, interlock-cb, purgatory) comes with the test tools.

Processor time is not the same on a busy machine either: neighbours take the caches. How busy it was stands in the last
line; what `asyncio.wait_for` costs alone, in the first, is the measure of the day.
"""

import asyncio
import os
import statistics
import tempfile
import time
import tracemalloc
import uuid
from datetime import UTC, datetime
from pathlib import Path

import interlock
import tenacity
from purgatory import AsyncCircuitBreakerFactory

import switchboard as sb
from switchboard.breaker import Breaker
from switchboard.clock import SystemClock
from switchboard.journal.entry import Entry, State
from switchboard.journal.sqlite import SqliteJournal
from switchboard.limits import UNLIMITED
from switchboard.vocabulary import Effect

A_BLOCK, BLOCKS, COMMITS = 1_000, 11, 200
INSTANT = sb.Policy(attempts=3, base_s=0.0)


class Bench:
    """The same small functions behind every contender."""

    def __init__(self):
        self.box = sb.Toolbox(
            call_filter="off", default_breaker=sb.BreakerPolicy(min_calls=10**9), clock=None
        )
        self.tries = 0
        self.box.tool(effect="read", policy=INSTANT, name="bare")(self.bare)
        self.box.tool(effect="read", policy=INSTANT, name="flaky")(self.flaky)
        self.box.tool(effect="write", repeatable=True, name="pay")(self.bare)

    async def bare(self, n: int) -> int:
        return n

    async def flaky(self, n: int) -> int:
        self.tries += 1
        if self.tries % 3:
            raise ConnectionRefusedError
        return n


async def block(call):
    """The processor time of one call, over a thousand."""
    began = time.process_time()
    for n in range(A_BLOCK):
        await call(n)
    return (time.process_time() - began) / A_BLOCK * 1e6


async def by_turns(contenders):
    """The median processor time of one call of each, taken by turns: a busy moment is no one's alone."""
    rows = {name: [] for name in contenders}
    for _ in range(BLOCKS):
        for name, call in contenders.items():
            rows[name].append(await block(call))
    return {name: statistics.median(each) for name, each in rows.items()}


async def calls(bench):
    def in_time(n):
        return asyncio.wait_for(bench.bare(n), 5)

    def guarded(n):
        return bench.box.call("bare", {"n": n})

    took = await by_turns({"bare": bench.bare, "with asyncio.wait_for": in_time, "guarded": guarded})
    added = took["guarded"] - took["bare"]
    print(", ".join(f"{name} {each:.2f} µs" for name, each in took.items()) + f" (+{added:.1f})")


async def retries(bench):
    async def no_sleep(_):
        await asyncio.sleep(0)

    for _ in range(20):
        bench.box.budgets.of("flaky").succeeded()

    async def ours(n):
        budget = bench.box.budgets.of("flaky")
        budget._tokens = 10.0  # a dead dependency would rightly get no retries
        await bench.box.call("flaky", {"n": n})

    async def flaky_in_time(n):
        return await asyncio.wait_for(bench.flaky(n), 5)

    def retried(function):
        return tenacity.retry(
            retry=tenacity.retry_if_exception_type(ConnectionError), stop=tenacity.stop_after_attempt(3),
            wait=tenacity.wait_random_exponential(multiplier=0, max=0), sleep=no_sleep,
        )(function)  # fmt: skip

    rows = await by_turns(
        {
            "ours": ours,
            "tenacity": retried(bench.flaky),
            "tenacity with a time limit on each attempt, as ours has,": retried(flaky_in_time),
        }
    )
    print("two retries: " + ", ".join(f"{name} {took:.1f} µs" for name, took in rows.items()))


async def permits():
    ours = Breaker("x", sb.BreakerPolicy(), clock=SystemClock())

    async def permit(_):
        ours.success(ours.acquire(), 0.001)

    purgatory = await AsyncCircuitBreakerFactory().get_breaker("x")
    named = interlock.CircuitBreaker(name="x")

    async def by_purgatory(_):
        async with purgatory:
            pass

    async def nothing():
        return None

    async def by_interlock(_):
        await named.call(nothing)

    rows = await by_turns({"ours": permit, "purgatory": by_purgatory, "interlock": by_interlock})
    print("breaker permit and success: " + ", ".join(f"{name} {took:.2f} µs" for name, took in rows.items()))


def line(n):
    """A line of the journal as a call that begins writes it."""
    return Entry(
        logical_id=f"pay#{n}", call_id=str(uuid.uuid4()), tool="pay", version="1", effect=Effect.WRITE,
        key=uuid.uuid4().hex, fingerprint=uuid.uuid4().hex, args={"n": n}, state=State.STARTED, at=datetime.now(UTC),
    )  # fmt: skip


async def journals(bench, folder):
    """By turns, because a disk has moods; by the wall clock, because a disk is waited for."""
    alone = SqliteJournal(folder / "alone.sqlite3", "alone", goal="", trace_id="", clock=SystemClock())
    async with bench.box.session(journal=folder / "journal.sqlite3", limits=UNLIMITED) as session:
        commits, calls = [], []
        for n in range(COMMITS):
            entry = line(n)
            began = time.perf_counter()
            alone.start(entry)
            between = time.perf_counter()
            await session.call("pay", {"n": n})
            commits.append(between - began)
            calls.append(time.perf_counter() - between)
    alone.close(finished=True)
    one, call = statistics.median(commits) * 1e6, statistics.median(calls) * 1e6
    print(
        f"one commit of the journal {one:.0f} µs, a journaled write {call:.0f} µs ({call / one:.2f} commits)"
    )


async def memory(bench):
    tracemalloc.start()
    async with bench.box.session(limits=UNLIMITED) as session:
        for n in range(10_000):
            await session.call("bare", {"n": n})
        held, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    print(f"10,000 calls in one session: {held / 2**20:.0f} MB held, {most / 2**20:.0f} MB at most")


async def main():
    bench = Bench()
    with tempfile.TemporaryDirectory() as folder:
        await calls(bench)
        await retries(bench)
        await permits()
        await journals(bench, Path(folder))
        await memory(bench)
    bench.box.close()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; a quiet machine has less than 1")


if __name__ == "__main__":
    asyncio.run(main())
