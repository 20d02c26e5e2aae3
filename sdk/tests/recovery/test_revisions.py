"""What a plan has left undone comes before people again: the next revision of a case."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from travel import Travel

import switchboard as sb
from switchboard.failure import ToolError
from switchboard.journal import HandedOver
from switchboard.result import Result
from switchboard.revising import rest_of
from switchboard.testing import FakeConsole
from switchboard.vocabulary import Executed, FailureClass, Outcome
from switchboard.wire import Decision


class Stuck:
    """Two bookings, one of which cannot be taken back for now."""

    def __init__(self, travel: Travel) -> None:
        self.travel = travel
        self.closed = {"B-SB13"}
        refund = travel.box.tools["refund"].function

        async def refusing(booking_id: str) -> dict[str, str]:
            if booking_id in self.closed:
                raise sb.ToolFailure("hard", "DESK_CLOSED", "The desk opens at nine.")
            undone: dict[str, str] = await refund(booking_id)
            return undone

        del travel.box.tools["refund"]
        travel.box.tool(effect="idempotent_write", dependency="booking", name="refund")(refusing)


@pytest.fixture
def stuck(travel: Travel) -> Stuck:
    return Stuck(travel)


async def two_booked(session: sb.Session) -> sb.Result:
    await session.call("book", {"flight": "SB12"})
    await session.call("book", {"flight": "SB13"})
    return await session.call("upgrade", {"seat": "12A"})


async def test_a_compensation_that_ends_halfway_stays_open_as_the_next_revision(
    box: sb.Toolbox, stuck: Stuck, console: FakeConsole, tmp_path: Path
) -> None:
    async with box.session(id="s", goal="Tokyo", journal=tmp_path / "j") as session:
        result = await two_booked(session)
        console.decide(result.case.key, "approve", proposal_id="undo")
        first = await session.settle(result.case)
        assert (first.status, stuck.travel.refunds) == ("partial", ["B-SB12"])
        assert first.next is not None
        case = console.cases[0]
        assert (case.revision, case.state) == (2, "open")
        rest, leave = case.package["proposals"]
        assert [step["args"] for step in rest["steps"]] == [{"booking_id": "B-SB13"}]
        assert (rest["kind"], rest["recommended"], leave["kind"]) == ("compensate", True, "continue")
        assert rest["steps"][0]["compensates"]
        assert case.package["trigger"] == "compensation_failed"
        assert case.package["failure"]["code"] == "DESK_CLOSED"
        assert session.cases == (first.next,)

        stuck.closed.clear()
        console.decide(case.key, "approve", proposal_id=rest["id"])
        second = await session.settle(first.next)
    assert (second.status, second.next) == ("executed", None)
    assert stuck.travel.refunds == ["B-SB12", "B-SB13"]


async def test_the_rest_keeps_the_keys_of_its_effects(
    box: sb.Toolbox, stuck: Stuck, console: FakeConsole
) -> None:
    async with box.session(goal="Tokyo") as session:
        result = await two_booked(session)
        before = {
            step["id"]: step["idempotency_key"]
            for plan in console.cases[0].package["proposals"]
            if plan["id"] == "undo"
            for step in plan["steps"]
        }
        console.decide(result.case.key, "approve", proposal_id="undo")
        await session.settle(result.case)
    (left,) = console.cases[0].package["proposals"][0]["steps"]
    assert left["idempotency_key"] == before[left["id"]]


async def test_a_restarted_process_puts_the_rest_and_settles_it(
    box: sb.Toolbox, stuck: Stuck, console: FakeConsole, tmp_path: Path
) -> None:
    """The console goes away just after the outcome: the rest waits in the journal."""
    report = console.book.outcome

    def report_and_go(case: object, said: dict[str, str]) -> bool:
        new: bool = report(case, said)  # type: ignore[arg-type]
        if said["status"] == "partial":
            console.down()
        return new

    session = box.session(id="s", goal="Tokyo", journal=tmp_path / "j")
    async with session:
        result = await two_booked(session)
        console.decide(result.case.key, "approve", proposal_id="undo")
        console.book.outcome = report_and_go  # type: ignore[method-assign,assignment]
        first = await session.settle(result.case)
        assert first.status == "partial"
        assert console.cases[0].revision == 1
        console.book.outcome = report  # type: ignore[method-assign]
    console.up()
    stuck.closed.clear()
    async with box.session(id="s", goal="Tokyo", journal=tmp_path / "j") as again:
        assert console.cases[0].revision == 2
        console.decide(result.case.key, "approve", proposal_id="rest-1")
        assert (await again.settle(again.cases[0])).status == "executed"
    assert stuck.travel.refunds == ["B-SB12", "B-SB13"]


async def test_a_case_is_revised_before_anybody_has_decided(
    box: sb.Toolbox, travel: Travel, console: FakeConsole
) -> None:
    async with box.session(goal="Tokyo") as session:
        result = await session.call("upgrade", {"seat": "12A"})
        waiting = asyncio.create_task(session.settle(result.case))
        await asyncio.sleep(0)
        plan = sb.Plan("other", "alternate", "Book seat 14C", [sb.PlanStep("upgrade", {"seat": "14C"})])
        case = await session.revise(result.case, title="Another seat is free", proposals=[plan])
        assert (await waiting).action == "superseded"
        travel.upgrade_fails = None
        assert console.cases[0].package["title"] == "Another seat is free"
        assert console.cases[0].package["trigger"] == "auth_failure"
        console.decide(case.key, "approve")
        assert (await session.settle(case)).status == "executed"
    assert travel.upgrades == ["14C"]


def test_a_failed_plan_is_revised_by_the_agent(box: sb.Toolbox, travel: Travel, console: FakeConsole) -> None:
    with box.session(goal="Tokyo") as session:
        result = session.call_sync("upgrade", {"seat": "12A"})
        console.decide(result.case.key, "approve", proposal_id="retry")
        settled = session.settle_sync(result.case)
        assert (settled.status, settled.next) == ("failed", None)
        case = session.revise_sync(
            result.case,
            title="Which seat instead?",
            proposals=[],
            question={"type": "string"},
            failure=settled.results["retry"],
        )
        console.decide(case.key, "respond", answer="14C")
        assert session.settle_sync(case).answer == "14C"
    assert console.cases[0].revision == 2


async def test_a_revision_that_comes_too_late_is_refused_and_changes_nothing(
    box: sb.Toolbox, travel: Travel, console: FakeConsole
) -> None:
    async with box.session(goal="Tokyo") as session:
        result = await session.call("upgrade", {"seat": "12A"})
        console.decide(result.case.key, "reject", message="No.")
        with pytest.raises(sb.Refused):
            await session.revise(result.case, title="Please")
        assert (await session.settle(result.case)).message == "No."
    assert console.cases[0].revision == 1


def ended(how: str) -> Result:
    """A result that ended in this way."""
    if how == "succeeded":
        return Result("c", "t", Outcome.SUCCEEDED, {})
    if how == "skipped":
        error = ToolError(FailureClass.HARD, "NOT_RUN", "x", executed=Executed.NO)
        return Result("c", "t", Outcome.SKIPPED, {}, error=error)
    error = ToolError(FailureClass(how if how == "empty" else "hard"), "X", "x", executed=Executed.NO)
    return Result("c", "t", Outcome.FAILED, {}, error=error)


LOOK_FIRST: dict[str, dict[str, Any]] = {
    "look": {"side_effect": "read"},
    "send": {"depends_on": ["look"], "run_if": {"step": "look", "is": "empty"}},
    "verify": {"depends_on": ["send"]},
    "instead": {"run_if": {"step": "send", "is": "failed"}},
    "tell": {},
}


@pytest.mark.parametrize(
    ("ends", "left"),
    [
        (("succeeded", "skipped", "skipped", "skipped", "failed"), ["tell"]),
        (("empty", "failed", "skipped", "succeeded", "failed"), ["verify", "tell"]),
        (("empty", "failed", "skipped", "failed", "succeeded"), ["send", "verify", "instead"]),
        (("failed", "skipped", "skipped", "skipped", "succeeded"), ["look", "send", "verify", "instead"]),
        (("empty", "succeeded", "succeeded", "skipped", "succeeded"), []),
    ],
)
def test_the_rest_holds_nothing_that_its_condition_ruled_out_or_that_was_done_another_way(
    ends: tuple[str, ...], left: list[str]
) -> None:
    steps = [{"id": name, "tool": f"t.{name}", **more} for name, more in LOOK_FIRST.items()]
    row = {"kind": "decision", "decision_id": "d", "escalation_id": "e", "revision": 1, "action": "approve"}
    decision = Decision.model_validate({**row, "steps": steps})
    results = {name: ended(how) for name, how in zip(LOOK_FIRST, ends, strict=True)}
    plan = rest_of(HandedOver("k", {}), decision, results)
    assert [step.id for step in (plan.steps if plan else ())] == left
