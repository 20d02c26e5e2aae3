"""The rule engine's repairs: recovery.md §4.9, semantics 75-77 and 79."""

from datetime import date
from enum import StrEnum
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import switchboard as sb
from switchboard.rules import DEFAULT_RULES
from switchboard.testing import FakeClock, FakeConsole

SEATS = """
[[repair]]
id = "seat-words"
field = "seat"
tools = ["choose"]
values = { "靠窗" = "window", "靠过道" = "aisle" }

[[repair]]
id = "dates"
field = "day"
parser = "date"
"""
ENUM_BODY = {
    "code": "BAD_SEAT",
    "errors": [{"field": "seat", "allowed": ["window", "aisle"], "received": "靠窗"}],
}


class Seat(StrEnum):
    WINDOW = "window"
    AISLE = "aisle"


@pytest.fixture
def rules() -> sb.Rules:
    return sb.load_rules(SEATS)


@pytest.fixture
def ruled(console: FakeConsole, rules: sb.Rules) -> sb.Toolbox:
    return sb.Toolbox(console.client(), rules=rules, clock=console.clock)


def choosing(box: sb.Toolbox, **fields: Any) -> list[str]:
    """A service that refuses every word but its own with a 400."""
    got: list[str] = []

    @box.tool(**{"effect": "idempotent_write", "policy": "seat_selection", **fields})
    async def choose(seat: str, amount: int = 1) -> dict[str, str]:
        got.append(seat)
        if seat not in {"window", "aisle"}:
            raise sb.HttpFailure(400, body=ENUM_BODY)
        return {"seat": seat}

    return got


async def test_75_a_400_is_mapped_and_retried_once_and_every_firing_is_traced(
    ruled: sb.Toolbox, console: FakeConsole
) -> None:
    got = choosing(ruled)
    result = await ruled.call("choose", {"seat": "靠窗"})
    assert got == ["靠窗", "window"]
    assert (result.outcome, result.args["seat"]) == ("recovered", "window")
    assert result.recovery is not None
    assert (result.recovery.by, result.recovery.rule, result.recovery.action) == (
        "rule",
        "seat-words",
        "repair",
    )
    (firing,) = result.firings
    assert (firing.rule, firing.field, firing.before, firing.after) == (
        "seat-words",
        "seat",
        "靠窗",
        "window",
    )
    ruled.client.flush()  # type: ignore[union-attr]
    assert console.calls[0]["attributes"]["rules"][0]["before"] == "靠窗"
    assert console.calls[0]["recovery"]["by"] == "rule"


async def test_75_there_is_one_pass_and_no_second(ruled: sb.Toolbox) -> None:
    calls = 0

    @ruled.tool(effect="idempotent_write", name="choose")
    async def stubborn(seat: str) -> None:
        nonlocal calls
        calls += 1
        raise sb.HttpFailure(400, body={"errors": [{"field": "seat", "allowed": ["靠窗", "window"]}]})

    result = await ruled.call("choose", {"seat": "靠窗"})
    assert calls == 2
    assert result.error is not None
    assert result.error.class_ == "invalid_args"


@given(st.text(max_size=20), st.text(max_size=20))
def test_75_the_engine_is_a_pure_function_and_leaves_the_arguments_alone(seat: str, day: str) -> None:
    rules = sb.load_rules(SEATS)
    box = sb.Toolbox()
    choosing(box)
    error = sb.ToolError(
        sb.vocabulary.FailureClass.INVALID_ARGS,  # type: ignore[attr-defined]
        "X",
        errors=(sb.FieldError("X", "seat"), sb.FieldError("X", "seat"), sb.FieldError("X", "day")),
    )
    given = {"seat": seat, "day": day}
    now = FakeClock().now()
    first = rules.repaired(given, error, box.tools["choose"], at=now)
    assert first == rules.repaired(given, error, box.tools["choose"], at=now)
    assert given == {"seat": seat, "day": day}
    assert len({firing.field for firing in first[1]}) == len(first[1])


@pytest.mark.parametrize("word", ["Window", " WINDOW", "win-dow", "win_dow", "win dow"])
async def test_76_one_equal_value_after_folding_is_the_value(box: sb.Toolbox, word: str) -> None:
    @box.tool(effect="read")
    async def pick(seat: Seat, kind: Literal["USD", "EUR"] = "USD") -> str:
        return seat

    result = await box.call("pick", {"seat": word, "kind": "usd"})
    assert (result.data, result.args["kind"], result.outcome) == ("window", "USD", "recovered")


@pytest.mark.parametrize("word", ["windows", "win", "windou", "close"])
async def test_76_what_is_only_similar_is_left_to_the_model(box: sb.Toolbox, word: str) -> None:
    @box.tool(effect="read")
    async def pick(seat: Literal["window", "aisle", "closed"]) -> str:
        return seat

    assert not (await box.call("pick", {"seat": word})).ok


async def test_76_two_equal_values_after_folding_are_no_answer(box: sb.Toolbox) -> None:
    @box.tool(effect="read")
    async def pick(seat: Literal["a-b", "ab"]) -> str:
        return seat

    assert not (await box.call("pick", {"seat": "A B"})).ok


async def test_77_a_critical_field_is_never_repaired(ruled: sb.Toolbox) -> None:
    got = choosing(ruled, critical="seat")
    assert not (await ruled.call("choose", {"seat": "靠窗"})).ok
    assert got == ["靠窗"]


async def test_77_a_plain_write_is_repaired_only_where_it_says_so(ruled: sb.Toolbox) -> None:
    got = choosing(ruled, effect="write")
    assert not (await ruled.call("choose", {"seat": "靠窗"})).ok
    del ruled.tools["choose"]
    willing = choosing(ruled, effect="write", repair=True)
    assert (await ruled.call("choose", {"seat": "靠窗"})).ok
    assert (len(got), len(willing)) == (1, 2)


async def test_79_a_repaired_call_is_validated_again_and_fingerprinted_as_repaired(ruled: sb.Toolbox) -> None:
    seen = []

    @ruled.tool(effect="write", repair=True, name="choose")
    async def choose(seat: Seat, day: str = "") -> str:
        seen.append(seat)
        return seat

    async with ruled.session(goal="g") as session:
        await session.call("choose", {"seat": "靠窗"})
        second = await session.call("choose", {"seat": "window"})
    assert seen == [Seat.WINDOW]
    assert second.outcome == "skipped"


async def test_a_date_phrase_is_read_before_the_call_is_refused(ruled: sb.Toolbox) -> None:

    days = []

    @ruled.tool(effect="read")
    async def search(day: date) -> str:
        days.append(day)
        return "x"

    search_result = await ruled.call("search", {"day": "明天"})
    assert search_result.ok
    assert days == [date(2030, 1, 2)]


def test_the_last_row_of_the_table_fits_everything() -> None:
    error = sb.ToolError(sb.vocabulary.FailureClass.HARD, "ANY")  # type: ignore[attr-defined]
    box = sb.Toolbox()
    choosing(box)
    assert sb.Rules(DEFAULT_RULES).first(error, box.tools["choose"]).id == "otherwise"


async def test_a_rule_may_be_switched_off(console: FakeConsole) -> None:
    rules = sb.load_rules(SEATS + "\n")
    off = sb.Toolbox(rules=rules.without("seat-words", "fold-enum"), clock=console.clock)
    got = choosing(off)
    assert not (await off.call("choose", {"seat": "靠窗"})).ok
    assert got == ["靠窗"]
