"""The rule engine: recovery.md §4.9, semantics 75-79, and the rows of the travel table."""

from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import switchboard as sb
from switchboard.phrases import moment, plain_date
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


def expiring(box: sb.Toolbox, status: int, **fields: Any) -> list[int]:
    """A service whose token is old until it has been refreshed."""
    calls: list[int] = []

    @box.tool(**{"effect": "read", "dependency": "points", **fields})
    async def points() -> int:
        calls.append(1)
        if not box.fresh:  # type: ignore[attr-defined]
            raise sb.HttpFailure(status)
        return 12000

    box.fresh = False  # type: ignore[attr-defined]
    return calls


async def test_78_a_401_refreshes_once_and_tries_once_more(box: sb.Toolbox) -> None:
    calls = expiring(box, 401)

    async def refresh() -> None:
        box.fresh = True  # type: ignore[attr-defined]

    box.refresh["points"] = refresh
    result = await box.call("points")
    assert (result.data, len(calls), result.outcome) == (12000, 2, "recovered")
    assert result.recovery is not None
    assert (result.recovery.by, result.recovery.action) == ("rule", "refresh")


@pytest.mark.parametrize("hook", ["useless", "broken", "none"])
async def test_78_a_401_that_stays_goes_to_a_person(box: sb.Toolbox, console: FakeConsole, hook: str) -> None:
    calls = expiring(box, 401)

    def broken() -> None:
        raise RuntimeError("no such secret")

    if hook != "none":
        box.refresh["points"] = broken if hook == "broken" else lambda: None
    async with box.session(goal="g") as session:
        result = await session.call("points")
    assert result.outcome == "escalated"
    assert len(calls) == (2 if hook == "useless" else 1)
    assert console.cases[0].package["trigger"] == "auth_failure"
    assert box.breakers.of("points").snapshot().window.failed == 0  # type: ignore[union-attr]


async def test_78_a_403_goes_to_a_person_at_once(box: sb.Toolbox, console: FakeConsole) -> None:
    calls = expiring(box, 403)
    box.refresh["points"] = lambda: pytest.fail("a 403 is not refreshed")
    async with box.session(goal="g") as session:
        assert (await session.call("points")).outcome == "escalated"
    assert len(calls) == 1


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


async def test_5xx_is_retried_twice_then_the_alternate_then_a_person(
    box: sb.Toolbox, console: FakeConsole
) -> None:
    calls = []
    for name, fallbacks in (("first", [sb.Alternate("second")]), ("second", [])):

        @box.tool(effect="read", name=name, policy=sb.Policy(attempts=9), fallbacks=fallbacks)
        async def it(name: str = name) -> None:
            calls.append(name)
            raise sb.HttpFailure(502)

    async with box.session(goal="g") as session:
        result = await session.call("first", {"name": "first"})
    assert (
        calls.count("first") == 6
    )  # three of the tool itself, three of the alternate with the same argument
    assert result.outcome == "escalated"
    assert len(console.cases) == 1


async def test_429_is_tried_three_times_from_one_second(box: sb.Toolbox, clock: FakeClock) -> None:
    @box.tool(effect="read", policy=sb.Policy(attempts=9))
    async def it() -> None:
        raise sb.HttpFailure(429)

    result = await box.call("it")
    assert len(result.attempts) == 3
    assert all(slept <= 2**n for n, slept in enumerate(clock.slept))


async def test_a_rule_cannot_raise_the_attempts_of_a_careful_tool(
    box: sb.Toolbox, console: FakeConsole
) -> None:
    calls = 0

    @box.tool(effect="idempotent_write", policy="upgrade")
    async def upgrade() -> None:
        nonlocal calls
        calls += 1
        raise sb.HttpFailure(503)

    async with box.session(goal="g") as session:
        assert (await session.call("upgrade")).outcome == "escalated"
    assert calls == 1


@pytest.mark.parametrize(
    ("phrase", "day", "at"),
    [
        ("明天下午两点", "2030-01-02", "2030-01-02T14:00+00:00"),
        ("后天", "2030-01-03", None),
        ("明天中午", "2030-01-02", "2030-01-02T12:00+00:00"),
        ("大后天上午十一点二十分", "2030-01-04", "2030-01-04T11:20+00:00"),
        ("明天下午两点半", "2030-01-02", "2030-01-02T14:30+00:00"),
        ("今天凌晨12点", "2030-01-01", "2030-01-01T00:00+00:00"),
        ("Tomorrow at 2 pm", "2030-01-02", "2030-01-02T14:00+00:00"),
        ("today, 9:30am", "2030-01-01", "2030-01-01T09:30+00:00"),
        ("the day after tomorrow", "2030-01-03", None),
        ("下午两点", None, None),
        ("明天二十五点", None, None),
        ("明天下午十四点", None, None),
        ("tomorrow at 2:75", None, None),
        ("some day next week", None, None),
        ("明天十十点", None, None),
    ],
)
def test_date_phrases_are_read_as_a_whole_or_not_at_all(phrase: str, day: str | None, at: str | None) -> None:
    now = FakeClock().now()
    assert (plain_date(phrase, now), moment(phrase, now)) == (day, at)


@given(st.text(max_size=30))
def test_no_phrase_breaks_the_reader(phrase: str) -> None:
    now = FakeClock().now()
    assert plain_date(phrase, now) is None or len(plain_date(phrase, now) or "") == 10


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


async def test_a_file_puts_a_teams_rules_before_the_default_ones(
    console: FakeConsole, tmp_path: Path
) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(
        """
        refuse = ["fold-enum"]
        [[rule]]
        id = "gateway"
        when = { status = ["5xx"], tool = ["it"], effect = ["read"] }
        do = ["retry", "replan"]
        attempts = 2
        base_s = 0.1
        """
    )
    box = sb.Toolbox(console.client(), rules=sb.load_rules(path), clock=console.clock)

    @box.tool(effect="read")
    async def it() -> None:
        raise sb.HttpFailure(500)

    async with box.session(goal="g") as session:
        result = await session.call("it")
    assert (result.outcome, len(result.attempts)) == ("failed", 2)
    assert console.cases == []


def test_a_file_of_ones_own_parsers() -> None:
    rules = sb.load_rules(
        '[[repair]]\nid="x"\nfield="a"\nparser="mine"', parsers={"mine": lambda text, _: text[::-1]}
    )
    assert rules.repairs[0].after("abc", FakeClock().now()) == "cba"


@pytest.mark.parametrize(
    "text",
    [
        "not toml =",
        '[[rule]]\nid="x"\ndo=["dance"]',
        '[[rule]]\nid="x"\ndo=["retry"]\nsurprise=1',
        '[[rule]]\nid="x"\ndo=["retry"]\nwhen={status=["6x"]}',
        '[[repair]]\nid="x"\nfield="a"',
        '[[repair]]\nid="x"\nfield="a"\nparser="nobody"',
    ],
)
def test_a_file_that_cannot_be_used_says_why(text: str) -> None:
    with pytest.raises(sb.Misconfigured):
        sb.load_rules(text)
