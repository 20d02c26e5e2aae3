"""Loop guard and call filter: recovery.md §4.10, semantics 80-86."""

import asyncio
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import switchboard as sb
from switchboard import usefulness
from switchboard.testing import FakeClock, FakeConsole

FREE = {"calls": None, "calls_per_tool": None}


class Desk:
    """Two reads and a write on one resource, counted."""

    def __init__(self, box: sb.Toolbox) -> None:
        self.calls: list[str] = []
        self.failures: list[BaseException | None] = []
        box.tool(effect="read", dependency="orders", policy=sb.Policy(attempts=1))(self.look)
        box.tool(effect="read", dependency="weather")(self.weather)
        box.tool(effect="write", dependency="orders", repeatable=True)(self.change)

    async def look(self, order: str) -> str:
        self.calls.append("look")
        if self.failures and (failure := self.failures.pop(0)) is not None:
            raise failure
        return order

    async def weather(self, city: str) -> str:
        self.calls.append("weather")
        return city

    async def change(self, order: str) -> str:
        self.calls.append("change")
        return order


@pytest.fixture
def desk(box: sb.Toolbox) -> Desk:
    return Desk(box)


async def test_80_a_round_is_a_model_turn_with_calls_however_many_run_in_it(
    box: sb.Toolbox, desk: Desk
) -> None:
    async with box.session(goal="g", limits=sb.Limits(**FREE, rounds=2)) as session:
        for _ in range(3):
            with session.turn():
                pass
        assert session.guard.rounds == 0
        with session.turn():
            await asyncio.gather(*(session.call("look", {"order": str(n)}) for n in range(5)))
        with session.turn():
            await session.call("look", {"order": "a"})
        assert session.guard.rounds == 2
        with session.turn():
            refused = await session.call("look", {"order": "b"})
        assert refused.error is not None
        assert (refused.error.code, session.must_finalize) == ("ROUND_LIMIT", "ROUND_LIMIT")
    assert len(desk.calls) == 6


async def test_80_five_rounds_are_the_default() -> None:
    assert sb.Limits().rounds == 5


async def test_81_the_second_failure_in_a_row_uses_the_fallback(box: sb.Toolbox, desk: Desk) -> None:
    @box.tool(effect="read", policy=sb.Policy(attempts=1), fallbacks=[sb.Static("from the static answer")])
    async def points(card: str) -> None:
        raise sb.HttpFailure(404)

    async with box.session(goal="g", limits=sb.Limits(**FREE)) as session:
        first = await session.call("points", {"card": "a"})
        second = await session.call("points", {"card": "b"})
    assert (first.outcome, second.outcome, second.source) == ("failed", "degraded", "static")


@pytest.mark.parametrize("between", ["success", "other_class"])
async def test_81_a_success_or_another_class_begins_anew(box: sb.Toolbox, desk: Desk, between: str) -> None:
    desk.failures = [
        sb.ToolFailure("hard", "A"),
        None if between == "success" else ConnectionRefusedError(),
        sb.ToolFailure("hard", "B"),
    ]
    async with box.session(goal="g", limits=sb.Limits(**FREE)) as session:
        for n in range(3):
            await session.call("look", {"order": str(n)})
        assert session.guard._streaks["look"].length == 1


async def test_81_hidden_attempts_and_skips_do_not_count(box: sb.Toolbox, desk: Desk) -> None:
    box.tools.clear()

    @box.tool(effect="read")
    async def look(order: str) -> None:
        raise ConnectionRefusedError

    async with box.session(goal="g", limits=sb.Limits(**FREE)) as session:
        result = await session.call("look", {"order": "a"})
        assert len(result.attempts) == 3
        assert session.guard._streaks["look"].length == 1


async def test_82_the_same_error_in_other_words_is_being_stuck(box: sb.Toolbox, console: FakeConsole) -> None:
    codes = iter(["A", "B", "A", "C", "A"])

    @box.tool(effect="read", policy=sb.Policy(attempts=1))
    async def look(order: str) -> None:
        raise sb.ToolFailure("hard" if order in "02468" else "transient", next(codes))

    async with box.session(goal="g", limits=sb.Limits(**FREE)) as session:
        results = [await session.call("look", {"order": str(n)}) for n in range(5)]
    assert [str(result.outcome) for result in results] == [
        "failed",
        "failed",
        "failed",
        "failed",
        "escalated",
    ]
    assert console.cases[0].package["trigger"] == "repeated_failure"


async def test_three_failures_in_a_row_of_one_tool_go_to_a_person(
    box: sb.Toolbox, desk: Desk, console: FakeConsole
) -> None:
    desk.failures = [sb.HttpFailure(404) for _ in range(3)]
    async with box.session(goal="g") as session:
        results = [await session.call("look", {"order": str(n)}) for n in range(3)]
    assert [str(result.outcome) for result in results] == ["failed", "failed", "escalated"]
    assert console.cases[0].package["trigger"] == "repeated_failure"


async def test_83_caps_are_reserved_before_execution(box: sb.Toolbox, desk: Desk) -> None:
    async with box.session(goal="g", limits=sb.Limits(calls=4, calls_per_tool=3)) as session:
        batch = [session.call("look", {"order": str(n)}) for n in range(10)]
        results = await asyncio.gather(*batch)
        codes = [result.error.code for result in results if result.error is not None]
        assert (len(desk.calls), codes) == (3, ["TOOL_CALL_LIMIT"] * 7)
        await session.call("weather", {"city": "x"})
        last = await session.call("change", {"order": "x"})
    assert last.error is not None
    assert last.error.code == "CALL_LIMIT"


async def test_83_replays_and_skips_are_free(box: sb.Toolbox, desk: Desk) -> None:
    async with box.session(goal="g", limits=sb.Limits(calls=2)) as session:
        await session.call("look", {"order": "a"}, call_id="x")
        for _ in range(5):
            assert (await session.call("look", {"order": "a"}, call_id="x")).replayed
            assert (await session.call("look", {"order": "a"})).outcome == "skipped"
        assert (await session.call("weather", {"city": "x"})).ok


async def test_83_a_tool_may_have_a_cap_of_its_own(box: sb.Toolbox) -> None:
    @box.tool(effect="read", max_calls=1)
    async def once(n: int) -> int:
        return n

    async with box.session(goal="g") as session:
        assert (await session.call("once", {"n": 1})).ok
        assert not (await session.call("once", {"n": 2})).ok


async def test_84_at_the_cap_only_the_last_answer_is_left_and_it_says_what_is_missing(
    box: sb.Toolbox, desk: Desk, console: FakeConsole
) -> None:
    async with box.session(goal="Find the order", limits=sb.Limits(calls=1)) as session:
        await session.call("look", {"order": "a"})
        refused = await session.call("look", {"order": "b"})
        again = await session.call("look", {"order": "c"})
        final = session.finalize("It is order a.")
    assert refused.error is not None
    assert "finalize" in (refused.error.hint or "")
    assert again.error is not None
    assert (final.reply, final.incomplete) == ("It is order a.", "CALL_LIMIT")
    assert '"data":"a"' in final.for_model()
    assert "CALL_LIMIT" in final.for_model()
    assert [case.package["trigger"] for case in console.cases] == ["loop_limit"]


async def test_84_the_deadline_ends_it_the_same_way(box: sb.Toolbox, desk: Desk, clock: FakeClock) -> None:
    async with box.session(goal="g", limits=sb.Limits(deadline_s=60)) as session:
        clock.advance(61)
        result = await session.call("look", {"order": "a"})
        assert session.must_finalize == "DEADLINE"
    assert result.error is not None
    assert (result.error.code, desk.calls) == ("DEADLINE", [])


async def test_84_after_finalize_nothing_is_called_any_more(box: sb.Toolbox, desk: Desk) -> None:
    async with box.session(goal="g") as session:
        assert session.finalize("done").incomplete is None
        assert not (await session.call("look", {"order": "a"})).ok


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


async def test_what_a_turn_was_thinking_goes_with_its_calls(
    box: sb.Toolbox, desk: Desk, console: FakeConsole
) -> None:
    async with box.session(id="trip-1", goal="g", trace_id="a" * 32) as session:
        with session.turn(reasoning="The order is probably a."):
            await session.call("look", {"order": "a"})
    box.client.flush()  # type: ignore[union-attr]
    (call,) = console.calls
    assert (call["reasoning"], call["round"], call["session_id"]) == ("The order is probably a.", 1, "trip-1")
    assert call["trace_id"] == "a" * 32
    assert call["limits"]["calls"] == {"used": 1, "max": 10}


async def test_81_another_class_of_failure_does_not_yet_force_the_fallback(box: sb.Toolbox) -> None:
    @box.tool(effect="read", fallbacks=[sb.Static("from the static answer")])
    async def points(card: str) -> None:
        raise sb.HttpFailure(404)

    async with box.session(goal="g", limits=sb.Limits(**FREE)) as session:
        assert (await session.call("points", {"crad": "a"})).outcome == "failed"
        assert (await session.call("points", {"card": "b"})).outcome == "failed"
        assert (await session.call("points", {"card": "c"})).outcome == "degraded"
