"""The rows of the travel table: recovery.md §4.9, semantics 78."""

from typing import Any

import pytest

import switchboard as sb
from switchboard.testing import FakeClock, FakeConsole


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
