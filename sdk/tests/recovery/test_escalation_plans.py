"""Running what was decided: recovery.md §4.13, semantics 98 and 99."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from travel import Travel

import switchboard as sb
from switchboard.plan_end import ended_as, status_of
from switchboard.testing import FakeConsole
from switchboard.vocabulary import Executed, FailureClass, Outcome
from switchboard.wire import DecidedStep


async def test_the_decided_plan_runs_exactly_and_its_outcome_is_reported_from_the_tools(
    box: sb.Toolbox, travel: Travel, console: FakeConsole
) -> None:
    async with box.session(goal="Tokyo") as session:
        await session.call("book", {"flight": "SB12"})
        result = await session.call("upgrade", {"seat": "12A"})
        console.decide(result.case.key, "approve", proposal_id="undo")
        settled = await session.settle(result.case)
    assert settled.action == "approve"
    assert settled.status == "executed"
    assert travel.refunds == ["B-SB12"]
    final = console.outcomes[-1]
    assert final["status"] == "executed"
    assert [(step["id"], step["status"]) for step in final["steps"]] == [("undo-1", "succeeded")]


async def test_98_an_edited_step_runs_with_the_edited_arguments_and_its_new_key(
    box: sb.Toolbox, travel: Travel, console: FakeConsole
) -> None:
    async with box.session(goal="Tokyo") as session:
        result = await session.call("upgrade", {"seat": "12A"})
        travel.upgrade_fails = None
        row = console.decide(
            result.case.key, "edit", proposal_id="retry", steps=[{"id": "retry", "args": {"seat": "14C"}}]
        )
        settled = await session.settle(result.case)
    assert travel.upgrades == ["14C"]
    assert settled.results["retry"].ok
    assert travel.keys[-1] == row["steps"][0]["idempotency_key"]


async def test_an_unknown_write_is_checked_before_it_is_done_again(
    box: sb.Toolbox, travel: Travel, console: FakeConsole
) -> None:
    travel.upgrade_fails = TimeoutError()
    async with box.session(goal="Tokyo") as session:
        result = await session.call("upgrade", {"seat": "12A"})
        assert result.error is not None
        assert result.error.class_ == "unknown_outcome"
        first_key = travel.keys[-1]
        travel.upgrade_fails = None
        console.decide(result.case.key, "approve", proposal_id="check-then-retry")
        settled = await session.settle(result.case)
    assert settled.status == "executed"
    assert travel.upgrades == ["12A"]
    assert travel.keys[-1] == first_key


async def test_an_unknown_write_that_did_happen_is_not_done_again(
    box: sb.Toolbox, travel: Travel, console: FakeConsole
) -> None:
    travel.upgrade_fails = TimeoutError()
    async with box.session(goal="Tokyo") as session:
        result = await session.call("upgrade", {"seat": "12A"})
        travel.upgrades.append("12A")  # it lands late
        console.decide(result.case.key, "approve", proposal_id="check-then-retry")
        settled = await session.settle(result.case)
    assert travel.upgrades == ["12A"]
    assert settled.status == "executed"
    ends = {step["id"]: step["status"] for step in console.outcomes[-1]["steps"]}
    assert ends == {"check": "succeeded", "retry": "skipped"}


async def test_98_steps_that_are_not_the_decided_ones_are_not_run(
    box: sb.Toolbox, travel: Travel, console: FakeConsole, tmp_path: Path
) -> None:
    async with box.session(id="s", goal="Tokyo", journal=tmp_path / "j") as session:
        await session.call("book", {"flight": "SB12"})
        result = await session.call("upgrade", {"seat": "12A"})
        row = console.decide(result.case.key, "approve", proposal_id="undo")
        row["steps"][0]["args"] = {"booking_id": "B-OTHER"}
        with pytest.raises((sb.DigestMismatch, sb.Undecided, sb.Unreachable)):
            await session.settle(result.case, timeout=30)
    assert travel.refunds == []


async def test_98_a_decision_changed_in_the_journal_is_not_run(
    box: sb.Toolbox, travel: Travel, console: FakeConsole
) -> None:
    async with box.session(id="s", goal="Tokyo") as session:
        await session.call("book", {"flight": "SB12"})
        result = await session.call("upgrade", {"seat": "12A"})
        row = json.loads(json.dumps(console.decide(result.case.key, "approve", proposal_id="undo")))
        row["steps"][0]["args"] = {"booking_id": "B-OTHER"}
        kept = session.desk.kept(result.case.key)
        session.desk.journal.hand_over(replace(kept, decision=row))
        with pytest.raises(sb.DigestMismatch):
            await session.settle(result.case, timeout=30)
    assert travel.refunds == []


async def test_99_edited_arguments_are_validated_again(
    box: sb.Toolbox, travel: Travel, console: FakeConsole
) -> None:
    async with box.session(goal="Tokyo") as session:
        result = await session.call("upgrade", {"seat": "12A"})
        travel.upgrade_fails = None
        console.decide(
            result.case.key, "edit", proposal_id="retry", steps=[{"id": "retry", "args": {"chair": "14C"}}]
        )
        settled = await session.settle(result.case)
    assert settled.status == "failed"
    assert settled.results["retry"].error is not None
    assert settled.results["retry"].error.class_ == "invalid_args"
    assert travel.upgrades == []
    assert console.outcomes[-1]["steps"][0]["failure"]["code"] == "INVALID_ARGS"


async def test_99_a_later_process_takes_the_decision_from_an_earlier_one(
    box: sb.Toolbox, travel: Travel, console: FakeConsole
) -> None:
    async with box.session(id="s", goal="Tokyo") as session:
        await session.call("book", {"flight": "SB12"})
        result = await session.call("upgrade", {"seat": "12A"})
        console.decide(result.case.key, "approve", proposal_id="undo")
        console.cases[0].fence = 9  # as if a later process of this session had acknowledged
        with pytest.raises(sb.SessionLost):
            await session.settle(result.case)
    assert travel.refunds == []


async def test_steps_wait_for_those_they_depend_on(
    box: sb.Toolbox, travel: Travel, console: FakeConsole
) -> None:
    plan = sb.Plan(
        "both",
        "retry",
        "Upgrade, then book",
        [
            sb.PlanStep("upgrade", {"seat": "1A"}, id="a"),
            sb.PlanStep("book", {"flight": "SB1"}, id="b", depends_on=("a",)),
            sb.PlanStep("refund", {"booking_id": "B0"}, id="c", run_if=("a", "failed")),
        ],
    )
    async with box.session(goal="Tokyo") as session:
        case = await session.hand_over("Plan", proposals=[plan])
        console.decide(case.key, "approve", proposal_id="both")
        settled = await session.settle(case)
    ends = {step["id"]: step["status"] for step in console.outcomes[-1]["steps"]}
    assert ends == {"a": "failed", "b": "skipped", "c": "succeeded"}
    assert (settled.status, travel.booked, travel.refunds) == ("partial", {}, ["B0"])
    assert [outcome["status"] for outcome in console.outcomes] == ["executing", "executing", "partial"]


async def test_a_decided_step_is_neither_repaired_nor_replaced_nor_handed_over_again(
    box: sb.Toolbox, console: FakeConsole
) -> None:
    @box.tool(effect="read", fallbacks=[sb.Static("elsewhere")])
    async def look(seat: Literal["window"]) -> None:
        raise sb.HttpFailure(503)

    plan = sb.Plan(
        "p",
        "retry",
        "Look",
        [sb.PlanStep("look", {"seat": "Window"}, id="a"), sb.PlanStep("look", {"seat": "window"}, id="b")],
    )
    async with box.session(goal="Tokyo") as session:
        case = await session.hand_over("Plan", proposals=[plan])
        console.decide(case.key, "approve", proposal_id="p")
        settled = await session.settle(case)
    assert [result.error.class_ for result in settled.results.values() if result.error] == [
        "invalid_args",
        "transient",
    ]
    assert settled.status == "failed"
    assert len(console.cases) == 1


@pytest.mark.parametrize(
    ("ends", "status"),
    [
        ([], "executed"), (["succeeded", "empty"], "executed"), (["failed"], "failed"), (["failed", "succeeded"], "partial"),
        (["succeeded", "unknown"], "unknown"), (["skipped", "skipped"], "never_executed"),
        (["failed", "skipped"], "failed"), (["succeeded", "skipped"], "executed"),
    ],
)  # fmt: skip
def test_the_outcome_of_a_plan_is_what_its_steps_did(ends: list[str], status: str) -> None:
    errors = {
        "succeeded": None,
        "empty": sb.ToolError(FailureClass.EMPTY, "NO_RESULTS", executed=Executed.NO),
        "failed": sb.ToolError(FailureClass.HARD, "NO", executed=Executed.NO),
        "unknown": sb.ToolError(FailureClass.UNKNOWN_OUTCOME, "TIMEOUT"),
        "skipped": sb.ToolError(FailureClass.HARD, "NOT_RUN", executed=Executed.NO),
    }
    steps = [DecidedStep(id=str(n), tool="t") for n in range(len(ends))]
    results = {
        str(n): sb.Result(
            "", "t", Outcome.SUCCEEDED if errors[end] is None else Outcome.FAILED, {}, error=errors[end]
        )
        for n, end in enumerate(ends)
    }
    assert status_of(steps, results) == status
    assert [ended_as(result) for result in results.values()] == ends
