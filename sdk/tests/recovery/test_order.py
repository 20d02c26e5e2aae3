"""The order of one call, stage by stage: the head of sdk/docs/semantics.md."""

from collections.abc import Callable
from typing import Any, Literal

import pytest
from pydantic import BaseModel

import switchboard as sb
from switchboard import attempt as attempts
from switchboard.arguments import Signature
from switchboard.breaker import Breaker
from switchboard.call_filter import CallFilter
from switchboard.journal import MemoryJournal
from switchboard.kit import Kit
from switchboard.ladder import Ladder
from switchboard.limits import LoopGuard
from switchboard.rules import Rules
from switchboard.runtime import AsyncRuntime
from switchboard.waiting import Budget, Deadline

STAGES: tuple[tuple[Any, str, str], ...] = (
    (MemoryJournal, "look_up", "journal"),
    (LoopGuard, "admit", "caps"),
    (Signature, "read", "validation"),
    (Rules, "repaired", "rules"),
    (CallFilter, "known", "call filter"),
    (MemoryJournal, "start", "started"),
    (Breaker, "acquire", "permit"),
    (AsyncRuntime, "attempt", "attempt"),
    (attempts, "clean", "result model"),
    (attempts, "classify_exception", "classification"),
    (Ladder, "climb", "what now"),
    (Budget, "failed", "budget"),
    (AsyncRuntime, "sleep", "wait"),
    (sb.Static, "find", "fallback"),
    (MemoryJournal, "settle", "done"),
    (Kit, "tell", "report"),
)
BEFORE = ["journal", "deadline", "caps", "validation", "call filter", "started", "deadline"]


class Seat(BaseModel):
    """What the tool promises to answer."""

    seat: str


@pytest.fixture
def order(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every stage notes when its turn comes."""
    seen: list[str] = []

    def noted(place: Any, name: str, stage: str) -> None:
        real: Callable[..., Any] = getattr(place, name)

        def note_and_do(*args: Any, **kwargs: Any) -> Any:
            seen.append(stage)
            return real(*args, **kwargs)

        monkeypatch.setattr(place, name, note_and_do)

    for place, name, stage in STAGES:
        noted(place, name, stage)
    left_s: property = vars(Deadline)["left_s"]

    def noted_left_s(deadline: Deadline) -> float:
        seen.append("deadline")
        return float(left_s.__get__(deadline))

    monkeypatch.setattr(Deadline, "left_s", property(noted_left_s))
    return seen


@pytest.fixture
def failures(box: sb.Toolbox, order: list[str]) -> list[Exception]:
    """What the tool raises, one after the other; then it answers."""
    coming: list[Exception] = []

    @box.tool(
        effect="read", policy=sb.Policy(attempts=2), result=Seat, fallbacks=[sb.Static({"seat": "any"})]
    )
    async def find(kind: Literal["window", "aisle"]) -> dict[str, str]:
        order.append("function")
        if coming:
            raise coming.pop(0)
        return {"seat": "12A"}

    return coming


async def called(box: sb.Toolbox, kind: str) -> sb.Result:
    async with box.session(id="s", goal="g") as session:
        return await session.call("find", {"kind": kind})


async def test_a_call_that_succeeds(box: sb.Toolbox, failures: list[Exception], order: list[str]) -> None:
    assert (await called(box, "window")).data == {"seat": "12A"}
    assert order == [*BEFORE, "permit", "deadline", "attempt", "function", "result model", "done", "report"]


async def test_a_call_that_is_put_right_and_retried(
    box: sb.Toolbox, failures: list[Exception], order: list[str]
) -> None:
    failures.append(ConnectionResetError())
    result = await called(box, "Window")
    assert result.outcome == "recovered"
    begun = BEFORE.index("validation") + 1
    assert order == [
        *BEFORE[:begun], "rules", "validation", *BEFORE[begun:],
        "permit", "deadline", "attempt", "function", "classification", "what now", "budget", "deadline", "wait",
        "permit", "deadline", "attempt", "function", "result model", "done", "report",
    ]  # fmt: skip


async def test_a_call_whose_retries_are_spent_falls_back(
    box: sb.Toolbox, failures: list[Exception], order: list[str]
) -> None:
    failures += [ConnectionResetError(), ConnectionResetError()]
    result = await called(box, "window")
    assert (result.outcome, result.data) == ("degraded", {"seat": "any"})
    tries = ["permit", "deadline", "attempt", "function", "classification", "what now", "budget"]
    assert order == [*BEFORE, *tries, "deadline", "wait", *tries, "fallback", "done", "report"]


async def test_a_call_that_is_replayed_uses_nothing_up(
    box: sb.Toolbox, failures: list[Exception], order: list[str]
) -> None:
    journal = MemoryJournal("s")
    await box.session(id="s", goal="g", journal=journal).call("find", {"kind": "window"})
    order.clear()
    result = await box.session(id="s", goal="g", journal=journal).call("find", {"kind": "window"})
    assert result.replayed
    assert order == ["journal", "validation", "report"]


async def test_a_call_with_wrong_arguments_is_not_begun(
    box: sb.Toolbox, failures: list[Exception], order: list[str]
) -> None:
    result = await called(box, "middle")
    assert result.error is not None
    assert result.error.class_ == "invalid_args"
    assert order == ["journal", "deadline", "caps", "validation", "rules", "report"]
