"""Taking back: recovery.md §4.12, semantics 92-95."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import switchboard as sb
from switchboard.journal import State
from switchboard.testing import FakeConsole
from switchboard.undoing import Undoing


class Trip:
    """Three bookings that can be taken back, and a world that remembers."""

    def __init__(self, box: sb.Toolbox, **ticket: Any) -> None:
        self.world: dict[str, str] = {}
        self.undone: list[str] = []
        self.keys: dict[str, set[str]] = {}
        self.fails: dict[str, list[BaseException]] = {}
        box.tool(effect="write", compensate="cancel", reconcile="find", name="hotel")(self.hotel)
        box.tool(
            effect="write",
            compensate=sb.Undo("cancel", {"what": "$result.id", "why": "changed plans"}),
            name="car",
        )(self.car)
        box.tool(effect="write", name="ticket", **ticket)(self.ticket)
        box.tool(effect="idempotent_write", name="cancel", policy=sb.Policy(attempts=2))(self.cancel)
        box.tool(effect="read", name="find")(self.find)

    async def hotel(self, what: str) -> dict[str, str]:
        return self._do(what)

    async def car(self, model: str) -> dict[str, str]:
        return self._do(model)

    async def ticket(self, what: str) -> dict[str, str]:
        return self._do(what)

    async def find(self, what: str) -> str | None:
        return self.world.get(what)

    async def cancel(self, what: str, ctx: sb.Context, why: str = "") -> str:
        self.keys.setdefault(what, set()).add(ctx.idempotency_key)
        if self.fails.get(what):
            raise self.fails[what].pop(0)
        self.undone.append(what)
        self.world.pop(what, None)
        return f"cancelled {what}"

    def _do(self, what: str) -> dict[str, str]:
        if self.fails.get(what):
            raise self.fails[what].pop(0)
        self.world[what] = "there"
        return {"id": what}


@pytest.fixture
def trip(box: sb.Toolbox) -> Trip:
    return Trip(box)


async def booked(session: sb.Session) -> None:
    await session.call("hotel", {"what": "H1"})
    await session.call("car", {"model": "C1"})
    await session.call("hotel", {"what": "H2"})


async def test_92_what_would_undo_a_step_is_on_the_disk_before_the_step_runs(
    box: sb.Toolbox, trip: Trip, tmp_path: Path
) -> None:
    seen = []

    @box.tool(effect="write", compensate="cancel")
    async def late(what: str) -> None:
        assert session.journal is not None
        entry = session.journal.entries()[0]
        seen.append((entry.state, entry.compensation))

    async with box.session(goal="g", journal=tmp_path / "j") as session:
        await session.call("late", {"what": "x"})
    assert seen == [(State.STARTED, {"tool": "cancel", "args": None})]


async def test_92_it_runs_backwards_each_once_with_its_own_key(box: sb.Toolbox, trip: Trip) -> None:
    async with box.session(goal="g", limits=sb.Limits(calls_per_tool=None)) as session:
        await booked(session)
        undone = await session.compensate()
        again = await session.compensate()
    assert trip.undone == ["H2", "C1", "H1"]
    assert undone.complete
    assert undone.undone == ("c3", "c2", "c1")
    assert again.undone == ()
    assert len({key for keys in trip.keys.values() for key in keys}) == 3
    assert trip.world == {}


async def test_92_the_order_can_be_another(box: sb.Toolbox, trip: Trip) -> None:
    def by_name(planned: Sequence[Undoing]) -> Sequence[Undoing]:
        return sorted(planned, key=lambda each: str(each.args["what"]))

    async with box.session(goal="g") as session:
        await booked(session)
        await session.compensate(order=by_name)
    assert trip.undone == ["C1", "H1", "H2"]


async def test_92_it_is_retried_and_resumed_by_a_later_process(console: FakeConsole, tmp_path: Path) -> None:
    worlds: list[Trip] = []
    for life in (1, 2):
        with sb.Toolbox(console.client(), clock=console.clock) as box:
            trip = Trip(box)
            worlds.append(trip)
            trip.fails = {"H1": [ConnectionResetError()], "C1": [KeyError()]} if life == 1 else {}
            session = box.session(
                id="s", goal="g", journal=tmp_path / "j", limits=sb.Limits(calls_per_tool=None)
            )
            if life == 1:
                trip.fails = {}
            await booked(session)
            if life == 1:
                trip.fails = {"H1": [ConnectionResetError()]}
            await session.compensate()
            session.close(finished=False)
    assert worlds[0].undone == ["H2", "C1", "H1"]
    assert worlds[1].undone == []


async def test_93_one_that_fails_does_not_stop_the_others_and_a_person_is_told(
    box: sb.Toolbox, trip: Trip, console: FakeConsole
) -> None:
    async with box.session(goal="g") as session:
        await booked(session)
        trip.fails = {"C1": [sb.ToolFailure("hard", "TOO_LATE", "The car is on its way.")]}
        undone = await session.compensate()
    assert trip.undone == ["H2", "H1"]
    assert (undone.left, undone.complete) == (("c2",), False)
    case = console.cases[0].package
    assert (case["trigger"], case["severity"]) == ("compensation_failed", "critical")
    assert case["failure"]["code"] == "TOO_LATE"


async def test_94_an_unknown_step_is_looked_up_before_it_is_taken_back(box: sb.Toolbox, trip: Trip) -> None:
    async with box.session(goal="g") as session:
        trip.fails = {"H1": [TimeoutError()], "H2": [TimeoutError()]}
        await session.call("hotel", {"what": "H1"})
        await session.call("hotel", {"what": "H2"})
        trip.world["H1"] = "it was booked after all"
        undone = await session.compensate()
        assert session.journal is not None
        states = {entry.logical_id: entry.state for entry in session.journal.entries()}
    assert trip.undone == ["H1"]
    assert undone.complete
    assert (states["c1"], states["c2"]) == (State.RECONCILED, State.RECONCILED)


async def test_94_what_nobody_can_tell_is_not_touched_and_told(
    box: sb.Toolbox, trip: Trip, console: FakeConsole
) -> None:
    @box.tool(effect="write", compensate="cancel")
    async def blind(what: str) -> None:
        raise TimeoutError

    async with box.session(goal="g") as session:
        await session.call("blind", {"what": "x"})
        undone = await session.compensate()
    assert undone.unknown == ("c1",)
    assert trip.undone == []
    assert "compensation_failed" in [case.package["trigger"] for case in console.cases]


async def test_94_after_the_point_of_no_return_nothing_is_taken_back_by_itself(console: FakeConsole) -> None:
    with sb.Toolbox(console.client(), clock=console.clock) as box:
        trip = Trip(box, point_of_no_return=True)
        async with box.session(goal="g") as session:
            await session.call("hotel", {"what": "H1"})
            await session.call("ticket", {"what": "T1"})
            undone = await session.compensate()
    assert trip.undone == []
    assert undone.stopped == "ticket (c2) was a point of no return"
    assert undone.left == ("c1",)


async def test_95_going_forward_is_tried_first(box: sb.Toolbox, trip: Trip, console: FakeConsole) -> None:
    box.policies["default"] = sb.Policy()

    @box.tool(
        effect="idempotent_write", fallbacks=[sb.Alternate("ticket", lambda args: {"what": args["what"]})]
    )
    async def seat(what: str) -> None:
        trip.keys.setdefault("seat", set()).add("tried")
        raise ConnectionRefusedError

    async with box.session(goal="g") as session:
        await session.call("hotel", {"what": "H1"})
        result = await session.call("seat", {"what": "S1"})
    assert len(result.attempts) == 3
    assert (result.outcome, trip.world["S1"]) == ("recovered", "there")
    assert trip.undone == []
    assert console.cases == []


async def test_the_proposed_undo_is_the_saga_and_runs_only_when_decided(
    box: sb.Toolbox, trip: Trip, console: FakeConsole
) -> None:
    @box.tool(effect="write")
    async def visa() -> None:
        raise sb.HttpFailure(403)

    async with box.session(goal="g") as session:
        await session.call("hotel", {"what": "H1"})
        await session.call("car", {"model": "C1"})
        result = await session.call("visa")
        assert trip.undone == []
        console.decide(result.case.key, "edit", proposal_id="undo", steps=[{"id": "undo-1", "run": False}])
        settled = await session.settle(result.case)
    assert settled.status == "executed"
    assert trip.undone == ["H1"]


def test_the_same_without_a_loop(box: sb.Toolbox) -> None:
    undone = []

    @box.tool(effect="write", compensate="undo")
    def do(what: str) -> str:
        return what

    @box.tool(effect="idempotent_write")
    def undo(what: str) -> str:
        undone.append(what)
        return what

    with box.session(goal="g") as session:
        session.call_sync("do", {"what": "x"})
        assert session.compensate_sync().complete
    assert undone == ["x"]
