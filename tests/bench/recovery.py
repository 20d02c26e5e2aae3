"""What the recovery kit adds to a call, against the libraries that do one part of it each.

Processor time, medians, one run. tenacity, interlock-cb and purgatory are compared where they are installed:
`uv pip install --target FOLDER tenacity interlock-cb purgatory` and FOLDER on PYTHONPATH.

Processor time is not the same on a busy machine either: neighbours take the caches. How busy it was stands in the last
line; what `asyncio.wait_for` costs alone, in the first, is the measure of the day.
"""

import asyncio
import importlib.util
import os
import sqlite3
import statistics
import tempfile
import time
import tracemalloc
from pathlib import Path

import switchboard as sb
from switchboard.breaker import Breaker
from switchboard.limits import UNLIMITED
from switchboard.testing import FakeClock

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


async def microseconds(call, block=A_BLOCK):
    """The median processor time of one call."""
    rows = []
    for _ in range(BLOCKS):
        began = time.process_time()
        for n in range(block):
            await call(n)
        rows.append((time.process_time() - began) / block * 1e6)
    return statistics.median(rows)


async def calls(bench):
    bare = await microseconds(bench.bare)
    waited = await microseconds(lambda n: asyncio.wait_for(bench.bare(n), 5))
    guarded = await microseconds(lambda n: bench.box.call("bare", {"n": n}))
    print(
        f"bare {bare:.2f} µs, with asyncio.wait_for {waited:.1f} µs, guarded {guarded:.1f} µs (+{guarded - bare:.1f})"
    )


async def retries(bench):
    async def no_sleep(_):
        await asyncio.sleep(0)

    for _ in range(20):
        bench.box.budgets.of("flaky").succeeded()

    async def ours(n):
        budget = bench.box.budgets.of("flaky")
        budget._tokens = 10.0  # a dead dependency would rightly get no retries
        await bench.box.call("flaky", {"n": n})

    print(f"two retries: ours {await microseconds(ours):.1f} µs", end="")
    if importlib.util.find_spec("tenacity"):
        import tenacity  # noqa: PLC0415 - compared only where it is installed

        guarded = tenacity.retry(
            retry=tenacity.retry_if_exception_type(ConnectionError), stop=tenacity.stop_after_attempt(3),
            wait=tenacity.wait_random_exponential(multiplier=0, max=0), sleep=no_sleep,
        )(bench.flaky)  # fmt: skip
        print(f", tenacity {await microseconds(guarded):.1f} µs", end="")

        async def flaky_in_time(n):
            return await asyncio.wait_for(bench.flaky(n), 5)

        limited = tenacity.retry(
            retry=tenacity.retry_if_exception_type(ConnectionError), stop=tenacity.stop_after_attempt(3),
            wait=tenacity.wait_random_exponential(multiplier=0, max=0), sleep=no_sleep,
        )(flaky_in_time)  # fmt: skip
        print(
            f", tenacity with a time limit on each attempt, as ours has, {await microseconds(limited):.1f} µs",
            end="",
        )
    print()


async def permits():
    ours = Breaker("x", sb.BreakerPolicy(), clock=FakeClock())

    async def permit(_):
        ours.success(ours.acquire(), 0.001)

    print(f"breaker permit and success: ours {await microseconds(permit):.2f} µs", end="")
    if importlib.util.find_spec("purgatory"):
        from purgatory import AsyncCircuitBreakerFactory  # noqa: PLC0415 - the same

        breaker = await AsyncCircuitBreakerFactory().get_breaker("x")

        async def purgatory(_):
            async with breaker:
                pass

        print(f", purgatory {await microseconds(purgatory):.2f} µs", end="")
    if importlib.util.find_spec("interlock"):
        import interlock  # noqa: PLC0415 - the same

        named = interlock.CircuitBreaker(name="x")

        async def nothing():
            return None

        async def one(_):
            await named.call(nothing)

        print(f", interlock {await microseconds(one):.2f} µs", end="")
    print()


async def journals(bench, folder):
    db = sqlite3.connect(folder / "plain.sqlite3", isolation_level=None)
    db.executescript(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE t (a TEXT PRIMARY KEY, b TEXT)"
    )

    def commit(n):
        db.execute("BEGIN IMMEDIATE")
        db.execute("INSERT INTO t VALUES (?, ?)", [str(n), "x" * 300])
        db.execute("COMMIT")

    async with bench.box.session(journal=folder / "journal.sqlite3", limits=UNLIMITED) as session:
        plain, ours = [], []
        for n in range(
            COMMITS
        ):  # by turns, because a disk has moods; by the wall clock, because a disk is waited for
            began = time.perf_counter()
            commit(n)
            between = time.perf_counter()
            await session.call("pay", {"n": n})
            plain.append(between - began)
            ours.append(time.perf_counter() - between)
    db.close()
    one, call = statistics.median(plain) * 1e6, statistics.median(ours) * 1e6
    print(f"one durable commit {one:.0f} µs, a journaled write {call:.0f} µs ({call / one:.2f} commits)")


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
