"""The journal: recovery.md §4.11, semantics 87, 88, 90 and 91."""

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from entries import entry

import switchboard as sb
from switchboard.journal import (
    TRANSITIONS,
    Entry,
    HandedOver,
    Journal,
    MemoryJournal,
    SqliteJournal,
    State,
    WrongTransition,
)
from switchboard.testing import FakeClock
from switchboard.vocabulary import Effect


@pytest.fixture(params=["memory", "sqlite"])
def journal(request: pytest.FixtureRequest, clock: FakeClock, tmp_path: Path) -> Any:
    if request.param == "memory":
        yield MemoryJournal("s")
        return
    opened = SqliteJournal(tmp_path / "j", "s", goal="g", trace_id="t", clock=clock)
    yield opened
    opened.close(finished=True)


def reach(journal: Journal, clock: FakeClock, state: State) -> None:
    """Bring the call c1 to a state."""
    if state is State.INTENDED:
        journal.intend((entry(clock),))
        return
    journal.start(entry(clock))
    if state is State.STARTED:
        return
    first = State.UNKNOWN if state is State.RECONCILED else state
    journal.settle("c1", first, "{}")
    if state is State.RECONCILED:
        journal.reconcile("c1", '{"r":1}')


@pytest.mark.parametrize("before", list(State))
@pytest.mark.parametrize("after", list(State))
def test_87_only_the_transitions_of_the_table_are_possible(
    journal: Journal, clock: FakeClock, before: State, after: State
) -> None:
    reach(journal, clock, before)
    moves: dict[State, Callable[[], object]] = {
        State.INTENDED: lambda: journal.put_back("c1"),
        State.STARTED: lambda: journal.start(entry(clock)),
        State.RECONCILED: lambda: journal.reconcile("c1", "{}"),
    }
    move = moves.get(after, lambda: journal.settle("c1", after, "{}"))
    if after in TRANSITIONS[before]:
        move()
        found = journal.look_up("c1")
        assert found is not None
        assert found.state is after
    else:
        with pytest.raises((WrongTransition, sqlite3.IntegrityError)):
            move()
        found = journal.look_up("c1")
        assert found is not None
        assert found.state is before


def test_87_the_table_is_total() -> None:
    assert set(TRANSITIONS) == set(State)


def test_87_started_is_on_the_disk_before_the_call_returns(clock: FakeClock, tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path / "j", "s", goal="g", trace_id="t", clock=clock)
    said: list[str] = []
    journal._db.set_trace_callback(said.append)
    journal.start(entry(clock))
    assert "PRAGMA synchronous=FULL" in said
    assert said[-1] == "COMMIT"
    with sqlite3.connect(tmp_path / "j") as other:
        assert other.execute("SELECT state FROM call").fetchall() == [("started",)]
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    other.close()
    journal.close(finished=True)


def test_what_was_written_is_read_back(journal: Journal, clock: FakeClock) -> None:
    first = entry(clock, compensation={"tool": "undo", "args": None}, round=2)
    journal.start(first)
    journal.start(entry(clock, "c2", Effect.READ))
    journal.settle(
        "c1", State.DONE, '{"x":"靠窗 \ud800"}' if isinstance(journal, MemoryJournal) else '{"x":"靠窗"}'
    )
    journal.came_late("c2", "late_completed: 1")
    done, second = journal.entries()
    assert (done.logical_id, done.compensation, done.round) == ("c1", {"tool": "undo", "args": None}, 2)
    assert second.late == "late_completed: 1"
    assert journal.same_effect("f") == done
    ref = journal.conceal("sk_live")
    assert "sk_live" not in ref
    assert journal.reveal(ref) == "sk_live"
    with pytest.raises(KeyError):
        journal.reveal("ref-none")
    case = HandedOver("k", {"title": "t", "trigger": "other"}, logical_id="c1")
    journal.hand_over(case)
    journal.hand_over(replace(case, case_id="x", decision={"a": 1}, reported=True))
    assert journal.cases() == (replace(case, case_id="x", decision={"a": 1}, reported=True),)
    journal.renew()


def test_87_what_was_intended_is_written_whole_when_it_begins(journal: Journal, clock: FakeClock) -> None:
    journal.intend((entry(clock, fingerprint="", args={}),))
    begun = entry(clock, compensation={"tool": "undo", "args": None}, round=2)
    journal.start(begun)
    assert journal.look_up("c1") == begun
    assert journal.same_effect("f") == begun


async def test_88_what_is_done_is_told_again_byte_for_byte(box: sb.Toolbox, tmp_path: Path) -> None:
    strange = {"靠窗": [1.5, None, True, "\ud800", "\x00"], "n": float("nan"), "big": 2**70}

    @box.tool(effect="write", redact_result="n")
    async def odd() -> dict[str, Any]:
        return strange

    told = []
    for _ in range(2):
        async with box.session(id="s", journal=tmp_path / "j") as session:
            result = await session.call("odd")
            told.append((result.for_model(), result.data, result.attempts, result.idempotency_key))
    assert told[0] == told[1]


@pytest.mark.parametrize("effect", ["write", "read"])
async def test_88_a_result_that_cannot_be_kept_is_unknown_and_not_failed(
    box: sb.Toolbox, clock: FakeClock, effect: str
) -> None:
    class Full(MemoryJournal):
        def settle(self, logical_id: str, state: State, result: str) -> None:
            raise sqlite3.OperationalError("database or disk is full")

    @box.tool(effect=effect)
    async def pay() -> str:
        return "paid"

    async with box.session(goal="g", journal=Full("s")) as session:
        result = await session.call("pay")
    assert result.data == "paid"
    assert result.executed == ("unknown" if effect == "write" else "yes")


async def test_90_another_tool_or_version_at_the_same_place_asks_instead_of_guessing(
    console: Any, tmp_path: Path
) -> None:
    ran = []
    for version in ("1", "2"):
        with sb.Toolbox(console.client(), clock=console.clock) as box:

            @box.tool(effect="write", version=version)
            async def pay() -> None:
                ran.append(box.tools["pay"].version)

            async with box.session(id="s", goal="g", journal=tmp_path / "j") as session:
                result = await session.call("pay")
    assert ran == ["1"]
    assert result.error is not None
    assert (result.error.code, result.outcome) == ("JOURNAL_MISMATCH", "escalated")


async def test_91_what_cannot_be_written_down_is_not_done(box: sb.Toolbox) -> None:
    class Full(MemoryJournal):
        def start(self, entry: Entry) -> None:
            raise sqlite3.OperationalError("database or disk is full")

    ran = []

    @box.tool(effect="write")
    async def pay() -> None:
        ran.append(1)

    async with box.session(goal="g", journal=Full("s")) as session:
        result = await session.call("pay")
    assert ran == []
    assert result.error is not None
    assert (result.error.code, result.executed) == ("JOURNAL_UNAVAILABLE", "no")


async def test_a_resumed_session_goes_on_in_its_trace_and_reports_again_under_the_same_ids(
    console: Any, tmp_path: Path
) -> None:
    traces = []
    for _ in range(2):
        with sb.Toolbox(console.client(), clock=console.clock) as box:

            @box.tool(effect="write")
            async def pay() -> str:
                return "x"

            async with box.session(id="s", goal="g", journal=tmp_path / "j") as session:
                await session.call("pay")
                traces.append(session.trace_id)
            box.client.flush()  # type: ignore[union-attr]
    assert len(set(traces)) == 1
    assert len({call["call_id"] for call in console.calls}) == 1
