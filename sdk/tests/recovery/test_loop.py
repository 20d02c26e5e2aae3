"""The loop guard: recovery.md §4.10, semantics 80-84."""

import asyncio

import pytest
from desk import FREE, Desk

import switchboard as sb
from switchboard.testing import FakeClock, FakeConsole


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
