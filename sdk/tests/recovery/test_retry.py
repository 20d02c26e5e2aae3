"""Retries: recovery.md §4.3, semantics 17-21 and 30-35."""

import asyncio
import warnings
from typing import Any

import pytest
from flaky import Flaky
from hypothesis import given
from hypothesis import strategies as st

import switchboard as sb
from switchboard.policy import Policy
from switchboard.testing import FakeClock, FakeConsole
from switchboard.waiting import Budget


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
