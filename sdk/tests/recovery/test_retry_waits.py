"""The waits between attempts: recovery.md §4.3, semantics 22-29."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from flaky import Flaky
from hypothesis import given
from hypothesis import strategies as st

import switchboard as sb
from switchboard.policy import Policy
from switchboard.retry_after import retry_after_s
from switchboard.testing import FakeClock
from switchboard.waiting import Deadline, Park, Wait, backoff_s, next_wait

AT = datetime(2030, 1, 1, 9, 0, tzinfo=UTC)


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


@pytest.mark.parametrize(
    ("name", "retries"),
    [("flight_search", 3), ("seat_selection", 1), ("points_query", 2), ("upgrade", 0)],
)
async def test_the_named_policies_are_those_of_the_travel_table(
    box: sb.Toolbox, clock: FakeClock, name: str, retries: int
) -> None:
    flaky = Flaky(box, *(ConnectionResetError() for _ in range(9)), policy=name, effect="idempotent_write")
    await box.call("flaky")
    assert flaky.calls == retries + 1
    highest = [backoff_s(box.policies[name], n, uniform=lambda low, _: low) for n in range(1, retries + 1)]
    waits = [most for most in highest if most > 0]  # where nothing is to be waited for, nobody sleeps
    assert all(slept <= most for slept, most in zip(clock.slept, waits, strict=True))


def test_parking_says_why() -> None:
    assert next_wait(Policy(), 1, asked_s=61, left_s=1e9) == Park("retry_after", 61)
    assert next_wait(Policy(base_s=5), 1, asked_s=None, left_s=0) == Park("deadline", None)
