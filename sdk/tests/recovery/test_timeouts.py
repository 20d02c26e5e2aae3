"""Time limits: recovery.md §4.4, semantics 36-41."""

import asyncio
import threading
import time

import pytest

import switchboard as sb
from switchboard.journal import State
from switchboard.policy import POLICIES
from switchboard.runtime import AsyncRuntime, AttemptTimeout, SyncRuntime
from switchboard.testing import FakeClock
from switchboard.workers import TooManyStuck, Workers


@pytest.mark.parametrize(("effect", "class_"), [("write", "unknown_outcome"), ("read", "transient")])
async def test_36_a_timed_out_write_is_unknown_and_not_repeated_a_read_is_transient(
    box: sb.Toolbox, clock: FakeClock, effect: str, class_: str
) -> None:
    calls = 0

    @box.tool(effect=effect, policy=sb.Policy(timeout_s=5, attempts=2))
    async def slow() -> None:
        nonlocal calls
        calls += 1
        await clock.sleep(30)

    result = await box.call("slow")
    assert result.error is not None
    assert (result.error.class_, result.error.code) == (class_, "TIMEOUT")
    assert calls == (1 if effect == "write" else 2)


async def test_36_a_reconcile_hook_finds_out_what_happened(box: sb.Toolbox, clock: FakeClock) -> None:
    booked: list[str] = []

    @box.tool(effect="write", reconcile="find", policy=sb.Policy(timeout_s=5))
    async def book(flight: str) -> None:
        booked.append(flight)
        await clock.sleep(30)

    @box.tool(effect="read")
    async def find(flight: str) -> dict[str, str] | None:
        return {"booking": flight} if flight in booked else None

    result = await box.call("book", {"flight": "SB12"})
    assert (result.outcome, result.data) == ("recovered", {"booking": "SB12"})
    assert result.recovery is not None
    assert (result.recovery.by, result.recovery.action) == ("rule", "reconcile")
    assert booked == ["SB12"]


async def test_36_finding_nothing_is_no_proof_that_nothing_happened(
    box: sb.Toolbox, clock: FakeClock
) -> None:
    @box.tool(effect="write", reconcile="find", policy=sb.Policy(timeout_s=5))
    async def book(flight: str) -> None:
        await clock.sleep(30)

    @box.tool(effect="read")
    async def find(flight: str) -> None:
        return None

    assert (await box.call("book", {"flight": "SB12"})).executed == "unknown"


async def test_37_a_function_in_a_thread_lands_late_and_the_journal_keeps_it(box: sb.Toolbox) -> None:
    release, landed = threading.Event(), threading.Event()

    @box.tool(effect="write", policy=sb.Policy(timeout_s=0.01))
    def blocking() -> str:
        release.wait(5)
        landed.set()
        return "B1"

    box.clock = box.waits._clock = sb.clock.SystemClock()  # type: ignore[attr-defined]  # a thread waits in real time
    async with box.session(goal="g") as session:
        result = await session.call("blocking")
        assert result.executed == "unknown"
        assert box.stuck == 1
        release.set()
        assert landed.wait(5)
        _until(lambda: box.stuck == 0)
        assert session.journal is not None
        entry = session.journal.entries()[0]
        assert entry.state is State.UNKNOWN
        _until(lambda: session.journal.entries()[0].late is not None)  # type: ignore[union-attr]
        assert session.journal.entries()[0].late == "late_completed: 'B1'"


def test_37_beyond_a_number_of_stuck_threads_nothing_new_is_started() -> None:
    workers = Workers(stuck_limit=1)
    release = threading.Event()
    job = workers.submit(lambda: release.wait(5))
    job.started.wait(5)
    workers.abandon(job)
    with pytest.raises(TooManyStuck):
        workers.submit(lambda: None)
    release.set()
    _until(lambda: workers.stuck == 0)
    assert workers.submit(lambda: "fine").future.result(5) == "fine"
    workers.close()


async def test_38_cleaning_up_has_its_own_grace_and_then_the_timeout_is_told_anyway() -> None:
    clock = FakeClock()
    runtime = AsyncRuntime(clock, Workers())
    cleaning, never = asyncio.Event(), asyncio.Event()

    async def stubborn() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cleaning.set()
            await never.wait()

    attempt = asyncio.create_task(
        runtime.attempt(stubborn, {}, is_async=True, timeout_s=1, grace_s=2, late=lambda _value, _error: None)
    )
    await clock.advance_async(0)
    await clock.advance_async(1)
    assert cleaning.is_set()
    assert not attempt.done()
    await clock.advance_async(2)
    with pytest.raises(AttemptTimeout) as caught:
        await attempt
    assert caught.value.still_running
    never.set()
    await asyncio.sleep(0)


async def test_39_the_nearer_of_the_two_limits_counts(box: sb.Toolbox, clock: FakeClock) -> None:
    limits = []

    @box.tool(effect="read", policy=sb.Policy(timeout_s=30))
    async def look(ctx: sb.Context) -> str:
        limits.append(ctx.timeout_s)
        await clock.sleep(4)
        return "x"

    async with box.session(goal="g", limits=sb.Limits(deadline_s=10)) as session:
        await session.call("look", call_id="a")
    async with box.session(goal="g", limits=sb.Limits(deadline_s=100)) as session:
        await session.call("look", call_id="b")
    assert limits == [10, 30]


async def test_40_time_in_the_queue_for_a_thread_is_not_the_tools_time() -> None:
    workers = Workers(limit=1)
    clock = sb.clock.SystemClock()  # type: ignore[attr-defined]
    runtime = AsyncRuntime(clock, workers)
    busy = workers.submit(lambda: time.sleep(0.05))
    value = await runtime.attempt(
        lambda: "done", {}, is_async=False, timeout_s=0.03, grace_s=0, late=lambda _value, _error: None
    )
    assert value == "done"
    assert busy.future.done()
    workers.close()


def test_40_the_same_without_a_loop() -> None:
    workers = Workers(limit=1)
    workers.submit(lambda: time.sleep(0.05))
    runtime = SyncRuntime(sb.clock.SystemClock(), workers)  # type: ignore[attr-defined]
    work = runtime.attempt(
        lambda: "done", {}, is_async=False, timeout_s=0.03, grace_s=0, late=lambda _value, _error: None
    )
    assert sb.runtime.drive(work) == "done"  # type: ignore[attr-defined]
    workers.close()


def test_41_no_tool_is_without_a_limit() -> None:
    assert all(policy.timeout_s > 0 for policy in POLICIES.values())
    assert POLICIES["default"].timeout_s == 30


def test_a_blocking_call_times_out_too(box: sb.Toolbox) -> None:
    release = threading.Event()

    @box.tool(effect="read", policy=sb.Policy(timeout_s=0.01, attempts=1))
    def blocking() -> None:
        release.wait(5)

    result = box.call_sync("blocking")
    release.set()
    assert result.error is not None
    assert result.error.code == "TIMEOUT"


def test_a_functions_own_timeout_error_is_not_taken_for_ours(box: sb.Toolbox) -> None:
    @box.tool(effect="write")
    def own() -> None:
        raise TimeoutError("upstream said so")

    result = box.call_sync("own")
    assert result.error is not None
    assert result.error.evidence is not None
    assert result.error.evidence["exception"]["message"] == "upstream said so"


def test_an_async_tool_can_be_called_without_a_loop(box: sb.Toolbox) -> None:
    @box.tool(effect="read")
    async def look() -> str:
        await asyncio.sleep(0)
        return "x"

    assert box.call_sync("look").data == "x"


async def test_a_blocking_call_inside_a_loop_says_what_to_write_instead(box: sb.Toolbox) -> None:
    @box.tool(effect="read")
    async def look() -> str:
        return "x"

    with pytest.raises(RuntimeError, match=r"await toolbox\.call"):
        box.call_sync("look")


async def test_no_thread_is_left_behind(box: sb.Toolbox) -> None:
    before = threading.active_count()

    @box.tool(effect="read", max_age_s=0)
    def look(n: int) -> int:
        return n

    await asyncio.gather(*(box.call("look", {"n": n}) for n in range(50)))
    box.close()
    assert threading.active_count() == before


def _until(what: object) -> None:
    end = time.monotonic() + 5
    while not what():  # type: ignore[operator]
        assert time.monotonic() < end, "it never happened"
        threading.Event().wait(0.002)


async def test_36_a_later_refusal_is_no_proof_that_an_earlier_attempt_did_not_land(box: sb.Toolbox) -> None:
    failures = [TimeoutError(), sb.ToolFailure("hard", "POINTS_INSUFFICIENT")]

    @box.tool(effect="idempotent_write")
    async def seat() -> None:
        raise failures.pop(0)

    async with box.session(goal="g") as session:
        result = await session.call("seat")
        assert session.journal is not None
        assert session.journal.entries()[0].state is State.UNKNOWN
    assert result.error is not None
    assert (result.error.code, result.executed) == ("POINTS_INSUFFICIENT", "unknown")


def test_closing_the_workers_ends_the_idle_ones_at_once_and_they_can_be_used_again() -> None:
    workers = Workers(limit=4)
    for _ in range(3):
        jobs = [workers.submit(lambda: time.sleep(0.001)) for _ in range(20)]
        assert all(job.future.result(5) is None for job in jobs)
        began = time.monotonic()
        workers.close()
        assert time.monotonic() - began < 1
        assert not [each for each in threading.enumerate() if each.name == "switchboard-tool"]
