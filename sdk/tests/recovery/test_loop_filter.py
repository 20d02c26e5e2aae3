"""The call filter: recovery.md §4.10, semantics 85 and 86."""

import math
from typing import Any

import pytest
from desk import FREE, Desk
from hypothesis import given
from hypothesis import strategies as st

import switchboard as sb
from switchboard import usefulness
from switchboard.testing import FakeClock, FakeConsole


async def test_85_the_same_read_is_skipped_until_something_was_written(box: sb.Toolbox, desk: Desk) -> None:
    async with box.session(goal="g", limits=sb.Limits(**FREE)) as session:
        first = await session.call("look", {"order": "a"})
        skipped = await session.call("look", {"order": "a"})
        await session.call("weather", {"city": "x"})
        await session.call("change", {"order": "a"})
        fresh = await session.call("look", {"order": "a"})
        assert (await session.call("weather", {"city": "x"})).outcome == "skipped"
    assert (skipped.outcome, skipped.data, skipped.error) == ("skipped", first.data, None)
    assert fresh.outcome == "succeeded"
    assert desk.calls == ["look", "weather", "change", "look"]


async def test_85_an_old_answer_is_asked_for_again(box: sb.Toolbox, desk: Desk, clock: FakeClock) -> None:
    async with box.session(goal="g") as session:
        await session.call("look", {"order": "a"})
        clock.advance(30)
        assert (await session.call("look", {"order": "a"})).outcome == "succeeded"


async def test_85_a_write_is_never_skipped_by_the_filter(box: sb.Toolbox, desk: Desk) -> None:
    async with box.session(goal="g") as session:
        for _ in range(2):
            assert (await session.call("change", {"order": "a"})).outcome == "succeeded"
    assert desk.calls == ["change", "change"]


async def test_85_a_search_that_found_nothing_is_not_made_again(box: sb.Toolbox) -> None:
    calls = 0

    @box.tool(effect="read")
    async def search(word: str) -> list[str]:
        nonlocal calls
        calls += 1
        return []

    async with box.session(goal="g") as session:
        await session.call("search", {"word": "x"})
        again = await session.call("search", {"word": "x"})
    assert (calls, again.outcome, again.error is not None) == (1, "skipped", True)


async def test_85_a_failed_read_may_be_made_again(box: sb.Toolbox, desk: Desk) -> None:
    desk.failures = [sb.HttpFailure(404), None]
    async with box.session(goal="g") as session:
        await session.call("look", {"order": "a"})
        assert (await session.call("look", {"order": "a"})).ok


@pytest.mark.parametrize(("mode", "made"), [("on", 1), ("shadow", 3), ("off", 3)])
async def test_85_in_shadow_it_only_counts(console: FakeConsole, mode: Any, made: int) -> None:
    box = sb.Toolbox(console.client(), call_filter=mode, clock=console.clock)
    desk = Desk(box)
    async with box.session(goal="g") as session:
        for _ in range(3):
            await session.call("look", {"order": "a"})
        assert session.filter.would_skip == (0 if mode == "off" else 2)
    assert len(desk.calls) == made


GOOD = sb.Likelihoods(without=[-4.0] * 5, called=[-4.2] * 5, answered=[-1.0] * 5)
USELESS = sb.Likelihoods(without=[-1.2] * 5, called=[-4.0] * 5, answered=[-1.0] * 5)


def test_86_a_call_is_kept_when_its_answer_helps_by_more_than_anything_else() -> None:
    assert GOOD.gain == pytest.approx(3.0)
    assert GOOD.worth_it()
    assert USELESS.gain == pytest.approx(0.2)
    assert not USELESS.worth_it()
    assert USELESS.worth_it(tau=0.1)


@given(st.lists(st.floats(-50, 0), max_size=12))
def test_86_only_five_tokens_count_and_the_first_one_most(logprobs: list[float]) -> None:
    assert (
        usefulness.loss(logprobs) == pytest.approx(usefulness.loss(logprobs[:5]), abs=1e-9)
        or len(logprobs) < 5
    )
    assert math.isfinite(usefulness.loss(logprobs))
    assert usefulness.loss([-1.0, 0, 0]) > usefulness.loss([0, -1.0, 0])


async def test_86_a_read_that_would_not_help_is_skipped_and_a_write_is_not(
    box: sb.Toolbox, desk: Desk
) -> None:
    async with box.session(goal="g") as session:
        skipped = await session.call("look", {"order": "a"}, likelihoods=USELESS)
        kept = await session.call("look", {"order": "b"}, likelihoods=GOOD)
        await session.call("change", {"order": "a"}, likelihoods=USELESS)
    assert (skipped.outcome, kept.outcome) == ("skipped", "succeeded")
    assert desk.calls == ["look", "change"]


def test_86_old_traces_tell_which_tool_is_worth_its_calls() -> None:
    traces = [
        {"tool": "weather", "likelihoods": USELESS}, {"tool": "weather", "likelihoods": GOOD},
        {"tool": "orders", "used": True}, {"tool": "maps", "used": False}, {"tool": "maps"},
    ]  # fmt: skip
    rows = usefulness.report(traces)
    assert [(row.tool, row.calls, row.rate) for row in rows] == [
        ("maps", 1, 0),
        ("weather", 2, 0.5),
        ("orders", 1, 1),
    ]
    assert rows[1].mean_gain == pytest.approx(1.6)
