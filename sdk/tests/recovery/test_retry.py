"""Retries: recovery.md §4.3, semantics 17-35."""

import asyncio
import warnings
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import switchboard as sb
from switchboard.policy import Policy
from switchboard.retry_after import retry_after_s
from switchboard.testing import FakeClock, FakeConsole
from switchboard.waiting import Budget, Deadline, Park, Wait, backoff_s, next_wait

AT = datetime(2030, 1, 1, 9, 0, tzinfo=UTC)


class Flaky:
    """A tool that fails with each of these in turn, then works."""

    def __init__(self, box: sb.Toolbox, *failures: BaseException, **fields: Any) -> None:
        self.failures = list(failures)
        self.calls = 0
        box.tool(**{"effect": "read", "name": "flaky", **fields})(self.run)

    async def run(self) -> str:
        self.calls += 1
        if self.failures:
            raise self.failures.pop(0)
        return "fine"


@pytest.mark.parametrize(
    "failure",
    [
        ConnectionResetError(),
        TimeoutError(),
        *(sb.HttpFailure(status) for status in (408, 429, 500, 502, 503, 504)),
    ],
)
async def test_17_only_what_may_pass_is_retried(box: sb.Toolbox, failure: BaseException) -> None:
    flaky = Flaky(box, failure)
    result = await box.call("flaky")
    assert (result.outcome, flaky.calls) == ("recovered", 2)
    assert result.recovery is not None
    assert result.recovery.by == "retry"


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 410, 422, 501, 505])
async def test_18_what_cannot_pass_is_never_retried(box: sb.Toolbox, status: int) -> None:
    flaky = Flaky(box, sb.HttpFailure(status))
    assert not (await box.call("flaky")).ok
    assert flaky.calls == 1


async def test_18_the_sessions_own_deadline_is_never_retried(box: sb.Toolbox, clock: FakeClock) -> None:
    calls = 0

    @box.tool(effect="read")
    async def slow() -> None:
        nonlocal calls
        calls += 1
        await clock.sleep(20)

    async with box.session(goal="g", limits=sb.Limits(deadline_s=5, person_at_limit=False)) as session:
        result = await session.call("slow")
        assert session.must_finalize == "DEADLINE"
    assert result.error is not None
    assert (result.error.code, calls) == ("DEADLINE", 1)


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_19_what_must_stop_the_program_stops_it(box: sb.Toolbox, stop: type[BaseException]) -> None:
    flaky = Flaky(box, stop(), stop())

    @box.tool(effect="read", dependency="flaky")
    def blocking() -> None:
        raise stop

    with pytest.raises(stop):
        box.call_sync("blocking")
    assert flaky.calls == 0
    assert box.breakers.of("flaky").snapshot().window.failed == 0  # type: ignore[union-attr]


async def test_19_a_cancelled_task_is_not_retried_and_not_counted(box: sb.Toolbox) -> None:
    calls, begun = 0, asyncio.Event()

    @box.tool(effect="read")
    async def hang() -> None:
        nonlocal calls
        calls += 1
        begun.set()
        await asyncio.Event().wait()

    task = asyncio.create_task(box.call("hang"))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert calls == 1
    assert box.breakers.of("hang").snapshot().window.calls == 0  # type: ignore[union-attr]


async def test_20_a_tool_that_cancels_itself_gives_a_tool_error(box: sb.Toolbox) -> None:
    @box.tool(effect="read")
    async def inner() -> None:
        raise asyncio.CancelledError

    result = await box.call("inner")
    assert result.error is not None
    assert (result.error.class_, result.error.code, len(result.attempts)) == (
        "internal",
        "CANCELLED_INSIDE",
        1,
    )


async def test_21_three_attempts_in_total_are_the_default(box: sb.Toolbox) -> None:
    flaky = Flaky(box, *(ConnectionResetError() for _ in range(9)))
    result = await box.call("flaky")
    assert (flaky.calls, len(result.attempts)) == (3, 3)


@given(n=st.integers(1, 100), base=st.floats(0.01, 10), cap=st.floats(0.01, 100))
def test_22_full_jitter_lies_between_nothing_and_the_doubled_base_up_to_the_cap(
    n: int, base: float, cap: float
) -> None:
    policy = Policy(base_s=base, cap_s=cap)
    highest = backoff_s(policy, n, uniform=lambda _, high: high)
    assert highest == min(cap, base * 2 ** min(n - 1, 62))
    assert backoff_s(policy, n, uniform=lambda low, _: low) == 0
    assert 0 <= backoff_s(policy, n) <= highest


def test_22_the_default_is_half_a_second_up_to_eight() -> None:
    highest = [backoff_s(Policy(), n, uniform=lambda _, high: high) for n in range(1, 7)]
    assert highest == [0.5, 1, 2, 4, 8, 8]


@pytest.mark.parametrize("backoff", ["full_jitter", "fixed", "exponential"])
def test_23_callers_at_the_cap_do_not_wake_together(backoff: Any) -> None:
    policy = Policy(backoff=backoff, base_s=8)
    assert len({backoff_s(policy, 9) for _ in range(200)}) > 100


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "3"}, 3),
        ({"Retry-After": "0"}, 0),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after-ms": "250", "Retry-After": "9"}, 0.25),
        ({"Retry-After": "Tue, 01 Jan 2030 09:00:30 GMT"}, 30),
        ({"Retry-After": "Tuesday, 01-Jan-30 09:00:30 GMT"}, 30),
        ({"Retry-After": "Tue Jan  1 09:00:30 2030"}, 30),
        ({"Retry-After": "Mon, 31 Dec 2029 09:00:00 GMT"}, 0),
        ({"Retry-After": "-1"}, None),
        ({"Retry-After": "1.5"}, None),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": ""}, None),
        ({"Retry-After": "٣"}, None),
        ({}, None),
    ],
)
def test_24_retry_after_is_read_in_every_format(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_s(headers, at=AT) == seconds


def test_24_a_senseless_number_means_not_now_instead_of_overflowing() -> None:
    seconds = retry_after_s({"Retry-After": "9" * 400}, at=AT)
    assert seconds is not None
    assert timedelta(seconds=seconds) > timedelta(days=365)


@given(st.text(max_size=40))
def test_24_no_header_breaks_the_reader(value: str) -> None:
    seconds = retry_after_s({"Retry-After": value, "retry-after-ms": value}, at=AT)
    assert seconds is None or seconds >= 0


@given(asked=st.floats(0, 60), jitter=st.floats(0, 1))
def test_25_what_was_asked_for_is_a_floor(asked: float, jitter: float) -> None:
    wait = next_wait(
        Policy(), 1, asked_s=asked, left_s=1e9, uniform=lambda low, high: low + jitter * (high - low)
    )
    assert isinstance(wait, Wait)
    assert asked <= wait.seconds <= asked * 1.1


async def test_25_the_next_attempt_comes_after_what_was_asked_for(box: sb.Toolbox, clock: FakeClock) -> None:
    Flaky(
        box,
        sb.HttpFailure(
            429, {"Retry-After": format_datetime(clock.now() + timedelta(seconds=7), usegmt=True)}
        ),
    )
    result = await box.call("flaky")
    assert result.outcome == "recovered"
    assert 7 <= clock.slept[0] <= 7.7


@pytest.mark.parametrize(("asked", "deadline"), [(3600, None), (30, 20)])
async def test_26_a_long_wait_is_neither_slept_through_nor_cut_short(
    box: sb.Toolbox, clock: FakeClock, asked: int, deadline: float | None
) -> None:
    flaky = Flaky(box, sb.HttpFailure(429, {"Retry-After": str(asked)}))
    async with box.session(goal="g", limits=sb.Limits(deadline_s=deadline)) as session:
        result = await session.call("flaky")
    assert result.error is not None
    assert (result.error.class_, result.error.retry_after_s) == ("transient", asked)
    assert (clock.slept, flaky.calls) == ([], 1)


async def test_27_after_a_told_wait_the_backoff_begins_again_at_its_base(
    box: sb.Toolbox, clock: FakeClock
) -> None:
    policy = Policy(attempts=4, backoff="exponential", base_s=1, cap_s=100, jitter=0)
    failures = (TimeoutError(), sb.HttpFailure(503, {"Retry-After": "5"}), TimeoutError())
    Flaky(box, *failures, policy=policy)
    await box.call("flaky")
    assert clock.slept[0] == 1
    assert 5 <= clock.slept[1] <= 5.5
    assert clock.slept[2] == 1


async def test_28_no_sleep_would_end_after_the_deadline(box: sb.Toolbox, clock: FakeClock) -> None:
    Flaky(box, TimeoutError(), TimeoutError(), policy=Policy(backoff="fixed", base_s=6, jitter=0))
    async with box.session(goal="g", limits=sb.Limits(deadline_s=5)) as session:
        result = await session.call("flaky")
    assert not result.ok
    assert clock.monotonic() == 0


def test_29_a_nested_deadline_can_only_be_nearer(clock: FakeClock) -> None:
    outer = Deadline(clock, 10)
    assert Deadline(clock, 60, within=outer).left_s == 10
    assert Deadline(clock, 3, within=outer).left_s == 3
    clock.advance(4)
    assert outer.left_s == 6


async def test_29_one_deadline_is_shared_by_all_attempts(box: sb.Toolbox, clock: FakeClock) -> None:
    timeouts = []

    @box.tool(effect="read", policy=Policy(timeout_s=4, backoff="fixed", base_s=0))
    async def slow(ctx: sb.Context) -> None:
        timeouts.append(ctx.timeout_s)
        await clock.sleep(3)
        raise ConnectionResetError

    async with box.session(goal="g", limits=sb.Limits(deadline_s=7, person_at_limit=False)) as session:
        await session.call("slow")
    assert timeouts == [4, 4, 1]


def test_30_the_budget_stops_retries_at_half_and_never_first_attempts() -> None:
    budget = Budget()
    for _ in range(4):
        budget.failed()
    assert budget.allows_retry
    budget.failed()
    assert not budget.allows_retry
    for _ in range(2):
        budget.succeeded()
    assert budget.tokens == pytest.approx(5.2)
    assert budget.allows_retry


@given(st.lists(st.booleans(), max_size=300))
def test_30_the_budget_never_leaves_its_bounds(calls: list[bool]) -> None:
    budget = Budget()
    for good in calls:
        budget.succeeded() if good else budget.failed()
        assert 0 <= budget.tokens <= 10


async def test_30_a_dead_dependency_gets_first_attempts_only(console: FakeConsole) -> None:
    patient = sb.BreakerPolicy(min_calls=1000)
    with sb.Toolbox(clock=console.clock, default_breaker=patient) as box:
        flaky = Flaky(box, *(ConnectionResetError() for _ in range(99)))
        sizes = [len((await box.call("flaky")).attempts) for _ in range(4)]
    assert sizes == [3, 2, 1, 1]
    assert flaky.calls == 7


async def test_31_bad_arguments_do_not_draw_on_the_budget(box: sb.Toolbox) -> None:
    Flaky(box, sb.HttpFailure(400))
    await box.call("flaky")
    assert box.budgets.of("flaky").tokens == 10


def test_32_a_client_that_retries_by_itself_is_warned_of(box: sb.Toolbox) -> None:
    class Api:
        max_retries = 2

    with pytest.warns(UserWarning, match="Api retries 2 times by itself"):
        box.tool(effect="read", uses=[Api()])(_nothing)
    Api.max_retries = 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        box.tool(effect="read", uses=[Api()], name="other")(_nothing)


async def _nothing() -> None:
    return None


async def test_33_a_spent_quota_is_not_a_rate_limit(box: sb.Toolbox) -> None:
    flaky = Flaky(
        box, sb.HttpFailure(429, body={"error": {"code": "insufficient_quota", "message": "Top up."}})
    )
    result = await box.call("flaky")
    assert result.error is not None
    assert (result.error.class_, result.error.code, flaky.calls) == ("hard", "QUOTA_EXHAUSTED", 1)


async def test_33_a_quota_that_comes_back_soon_is_waited_for(box: sb.Toolbox) -> None:
    flaky = Flaky(box, sb.HttpFailure(429, {"Retry-After": "2"}, {"error": {"code": "insufficient_quota"}}))
    assert (await box.call("flaky")).ok
    assert flaky.calls == 2


@pytest.mark.parametrize(
    ("failure", "fields", "calls"),
    [
        (ConnectionResetError(), {"effect": "write"}, 1),
        (TimeoutError(), {"effect": "write"}, 1),
        (sb.HttpFailure(503), {"effect": "write"}, 1),
        (ConnectionRefusedError(), {"effect": "write"}, 2),
        (sb.HttpFailure(429), {"effect": "write"}, 2),
        (ConnectionResetError(), {"effect": "idempotent_write"}, 2),
        (TimeoutError(), {"effect": "write", "policy": Policy(honours_key=True)}, 2),
    ],
)
async def test_34_a_write_is_sent_again_only_where_it_cannot_happen_twice(
    box: sb.Toolbox, failure: BaseException, fields: dict[str, Any], calls: int
) -> None:
    flaky = Flaky(box, failure, **fields)
    await box.call("flaky")
    assert flaky.calls == calls


async def test_34_every_attempt_carries_the_same_key(box: sb.Toolbox) -> None:
    keys = []

    @box.tool(effect="idempotent_write")
    async def put(ctx: sb.Context) -> None:
        keys.append((ctx.idempotency_key, ctx.attempt))
        if len(keys) < 3:
            raise ConnectionResetError

    await box.call("put")
    assert [attempt for _, attempt in keys] == [1, 2, 3]
    assert len({key for key, _ in keys}) == 1


async def test_35_an_effect_nobody_declared_is_a_plain_write(box: sb.Toolbox) -> None:
    calls = 0

    @box.tool()
    async def undeclared() -> None:
        nonlocal calls
        calls += 1
        raise TimeoutError

    result = await box.call("undeclared")
    assert calls == 1
    assert result.error is not None
    assert result.error.class_ == "unknown_outcome"


def test_a_policy_refuses_what_makes_no_sense() -> None:
    for wrong in ({"attempts": 0}, {"timeout_s": 0}, {"jitter": 2}):
        with pytest.raises(ValueError, match=r"attempts|timeout_s|jitter"):
            Policy(**wrong)  # type: ignore[arg-type]


def test_a_team_changes_single_rows_of_the_policy_table() -> None:
    box = sb.Toolbox(policies={"points_query": {"attempts": 1}, "mine": Policy(timeout_s=1)})
    assert (box.policies["points_query"].attempts, box.policies["points_query"].base_s) == (1, 1.0)
    assert box.policies["mine"].timeout_s == 1


@pytest.mark.parametrize(
    ("name", "waits"),
    [("flight_search", 3), ("seat_selection", 1), ("points_query", 2), ("upgrade", 0)],
)
async def test_the_named_policies_are_those_of_the_travel_table(
    box: sb.Toolbox, clock: FakeClock, name: str, waits: int
) -> None:
    Flaky(box, *(ConnectionResetError() for _ in range(9)), policy=name, effect="idempotent_write")
    await box.call("flaky")
    assert len(clock.slept) == waits
    highest = [backoff_s(box.policies[name], n, uniform=lambda low, _: low) for n in range(1, waits + 1)]
    assert all(slept <= most for slept, most in zip(clock.slept, highest, strict=True))


def test_parking_says_why() -> None:
    assert next_wait(Policy(), 1, asked_s=61, left_s=1e9) == Park("retry_after", 61)
    assert next_wait(Policy(base_s=5), 1, asked_s=None, left_s=0) == Park("deadline", None)
