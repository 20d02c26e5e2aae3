"""Handing over and settling: recovery.md §4.13, semantics 96-102."""

import asyncio
import contextlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

import switchboard as sb
from switchboard.breaker import Permit
from switchboard.journal import SqliteJournal, State
from switchboard.plan_end import ended_as, status_of
from switchboard.testing import FakeClock, FakeConsole
from switchboard.vocabulary import Executed, FailureClass, Outcome
from switchboard.wire import DecidedStep


class Killed(BaseException):
    """Stands for the end of a process."""


class Travel:
    """Tools with a world behind them, so that a test can see what really happened."""

    def __init__(self, box: sb.Toolbox) -> None:
        self.box = box
        self.booked: dict[str, str] = {}
        self.upgrades: list[str] = []
        self.refunds: list[str] = []
        self.keys: list[str] = []
        self.upgrade_fails: Exception | None = sb.HttpFailure(403, body={"code": "FORBIDDEN"})
        box.tool(effect="write", compensate="refund", reconcile="find_booking", dependency="booking")(
            self.book
        )
        box.tool(effect="idempotent_write", dependency="booking")(self.refund)
        box.tool(effect="read", dependency="booking")(self.find_booking)
        box.tool(effect="write", dependency="upgrades", reconcile="find_upgrade")(self.upgrade)
        box.tool(effect="read", dependency="upgrades")(self.find_upgrade)

    async def book(self, flight: str, ctx: sb.Context) -> dict[str, str]:
        self.booked[flight] = f"B-{flight}"
        self.keys.append(ctx.idempotency_key)
        return {"booking_id": f"B-{flight}"}

    async def refund(self, booking_id: str) -> dict[str, str]:
        self.refunds.append(booking_id)
        return {"refunded": booking_id}

    async def find_booking(self, flight: str) -> str | None:
        return self.booked.get(flight)

    async def upgrade(self, seat: str, ctx: sb.Context) -> dict[str, str]:
        self.keys.append(ctx.idempotency_key)
        if self.upgrade_fails is not None:
            raise self.upgrade_fails
        self.upgrades.append(seat)
        return {"seat": seat}

    async def find_upgrade(self, seat: str) -> str | None:
        return seat if seat in self.upgrades else None


@pytest.fixture
def travel(box: sb.Toolbox) -> Travel:
    return Travel(box)


async def test_a_refusal_by_permission_goes_to_a_person_with_everything_they_need(
    box: sb.Toolbox, travel: Travel, console: FakeConsole
) -> None:
    async with box.session(goal="Get Ms Li to Tokyo") as session:
        with session.turn(reasoning="She wants the window."):
            await session.call("book", {"flight": "SB12"})
            result = await session.call("upgrade", {"seat": "12A"})
    assert result.outcome == "escalated"
    assert result.case is not None
    package = console.cases[0].package
    assert package["goal"] == "Get Ms Li to Tokyo"
    assert package["trigger"] == "auth_failure"
    assert package["failure"]["tool"] == "upgrade"
    assert package["failure"]["code"] == "FORBIDDEN"
    assert [attempt["http_status"] for attempt in package["failure"]["attempts"]] == [403]
    assert (package["steps"][0]["tool"], package["steps"][0]["side_effect"]) == ("book", "write")
    assert package["context"]["reasoning"] == "She wants the window."
    kinds = {proposal["id"]: proposal["kind"] for proposal in package["proposals"]}
    assert kinds == {"retry": "retry", "undo": "compensate", "continue": "continue"}
    assert package["proposals"][0]["recommended"] is True
    undo = package["proposals"][1]["steps"][0]
    assert (undo["tool"], undo["args"]) == ("refund", {"booking_id": "B-SB12"})


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


async def test_97_a_restarted_process_finds_its_case_and_settles_it_once(
    console: FakeConsole, tmp_path: object
) -> None:
    journal = f"{tmp_path}/journal.sqlite3"
    world: list[Travel] = []

    async def run(*, settle: bool) -> sb.Settled | None:
        with sb.Toolbox(console.client(), clock=console.clock) as box:
            travel = Travel(box)
            if world:
                travel.booked, travel.upgrades, travel.refunds = (
                    world[0].booked,
                    world[0].upgrades,
                    world[0].refunds,
                )
            world.append(travel)
            async with box.session(id="trip-1", goal="Tokyo", journal=journal) as session:
                booked = await session.call("book", {"flight": "SB12"})
                assert booked.replayed is settle
                result = await session.call("upgrade", {"seat": "12A"})
                assert result.outcome == "escalated"
                return await session.settle(result.case, timeout=60) if settle else None

    await run(settle=False)
    assert len(console.cases) == 1
    console.decide(console.cases[0], "approve", proposal_id="undo")
    first = await run(settle=True)
    again = await run(settle=True)
    assert first is not None
    assert again is not None
    assert (first.status, again.status) == ("executed", "executed")
    assert world[0].refunds == ["B-SB12"]
    assert len(console.cases) == 1
    assert len(console.cases[0].acks) == 1


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


async def test_100_expiry_runs_nothing_and_is_nobodys_no(
    box: sb.Toolbox, travel: Travel, console: FakeConsole
) -> None:
    async with box.session(goal="Tokyo") as session:
        result = await session.call("upgrade", {"seat": "12A"})
        console.expire(result.case.key)
        settled = await session.settle(result.case)
    assert settled.action == "expired"
    assert settled.approved is False
    assert travel.upgrades == []
    assert console.outcomes == []


async def test_102_waiting_for_a_person_costs_the_session_no_time(
    box: sb.Toolbox, travel: Travel, console: FakeConsole
) -> None:
    async with box.session(goal="Tokyo", limits=sb.Limits(deadline_s=60)) as session:
        result = await session.call("upgrade", {"seat": "12A"})
        waiting = asyncio.create_task(session.settle(result.case, timeout=7200))
        await console.clock.advance_async(0)
        await console.clock.advance_async(3600)
        console.decide(result.case.key, "reject", message="Not today.")
        settled = await waiting
        assert (settled.action, settled.message) == ("reject", "Not today.")
        assert session.deadline.left_s == 60
        assert session.must_finalize is None
        assert isinstance(box.breakers.of("upgrades").acquire(), Permit)


async def test_102_what_was_decided_runs_even_after_the_sessions_deadline(
    box: sb.Toolbox, travel: Travel, console: FakeConsole
) -> None:
    async with box.session(goal="Tokyo", limits=sb.Limits(deadline_s=60)) as session:
        await session.call("book", {"flight": "SB12"})
        result = await session.call("upgrade", {"seat": "12A"})
        console.clock.advance(100)
        console.decide(result.case.key, "approve", proposal_id="undo")
        settled = await session.settle(result.case)
    assert settled.status == "executed"
    assert travel.refunds == ["B-SB12"]


async def test_96_the_same_failure_is_one_case_whatever_is_lost_on_the_way(
    box: sb.Toolbox, travel: Travel, console: FakeConsole, tmp_path: Path
) -> None:
    console.lose_next(path="/api/v1/escalations")
    for _ in range(3):
        async with box.session(id="s", goal="Tokyo", journal=tmp_path / "j") as session:
            await session.call("upgrade", {"seat": "12A"})
    assert len(console.cases) == 1


async def test_96_a_crash_between_packaging_and_writing_down_makes_no_second_case(
    console: FakeConsole, clock: FakeClock, tmp_path: Path
) -> None:
    class Dying(SqliteJournal):
        alive = False

        def settle(self, logical_id: str, state: State, result: str) -> None:
            if not self.alive:
                raise Killed
            super().settle(logical_id, state, result)

    for alive in (False, True):
        with sb.Toolbox(console.client(), clock=clock) as box:
            Travel(box)
            journal = Dying(tmp_path / "j", "s", goal="g", trace_id="t" * 32, clock=clock)
            journal.alive = alive
            session = box.session(id="s", goal="Tokyo", journal=journal)
            with contextlib.suppress(Killed):
                async with session:
                    result = await session.call("upgrade", {"seat": "12A"})
    assert [case.package["trigger"] for case in console.cases] == ["auth_failure"]
    assert result.case.key == console.cases[0].key


async def test_97_a_console_that_is_away_gets_the_case_later(
    box: sb.Toolbox, travel: Travel, console: FakeConsole, tmp_path: Path
) -> None:
    with console.outage():
        async with box.session(id="s", goal="Tokyo", journal=tmp_path / "j") as session:
            result = await session.call("upgrade", {"seat": "12A"})
            assert result.outcome == "escalated"
            assert [case.id for case in session.cases] == [None]
            with pytest.raises(sb.Unreachable):
                await session.settle(result.case, timeout=1)
    async with box.session(id="s", goal="Tokyo", journal=tmp_path / "j") as session:
        assert [case.id for case in session.cases] == [console.cases[0].id]
    assert travel.upgrades == []


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


async def test_100_a_rejection_runs_nothing_and_needs_no_outcome(
    box: sb.Toolbox, travel: Travel, console: FakeConsole
) -> None:
    async with box.session(goal="Tokyo") as session:
        result = await session.call("upgrade", {"seat": "12A"})
        console.decide(result.case.key, "reject", message="Too dear.", by="Ana")
        settled = await session.settle(result.case)
    assert (settled.action, settled.message, settled.by, settled.status) == (
        "reject",
        "Too dear.",
        "Ana",
        None,
    )
    assert (console.outcomes, len(console.acks)) == ([], 1)
    assert session.cases == ()


async def test_101_a_question_is_answered_with_any_json(
    box: sb.Toolbox, travel: Travel, console: FakeConsole
) -> None:
    async with box.session(goal="Tokyo") as session:
        case = await session.hand_over("Which seat?", question={"type": "integer"})
        console.decide(case.key, "respond", answer=0)
        settled = await session.settle(case)
    assert (settled.action, settled.answer) == ("respond", 0)


async def test_101_a_person_may_say_that_an_unknown_write_did_happen(
    box: sb.Toolbox, travel: Travel, console: FakeConsole
) -> None:
    travel.upgrade_fails = TimeoutError()
    async with box.session(goal="Tokyo") as session:
        result = await session.call("upgrade", {"seat": "12A"}, call_id="u")
        assert "happened" in console.cases[0].package["question"]["response_schema"]["properties"]
        console.decide(result.case.key, "respond", answer={"happened": True, "value": {"seat": "12A"}})
        await session.settle(result.case)
        again = await session.call("upgrade", {"seat": "12A"}, call_id="u")
    assert (again.outcome, again.data) == ("recovered", {"seat": "12A"})
    assert again.recovery is not None
    assert again.recovery.by == "human"
    box.client.flush()  # type: ignore[union-attr]
    last = [call for call in console.calls if call["tool"] == "upgrade"][-1]
    assert (last["outcome"], last["rev"], last["recovery"]["by"]) == ("recovered", 1, "human")


async def test_101_secrets_travel_as_references_and_come_back_from_the_journal(
    box: sb.Toolbox, console: FakeConsole
) -> None:
    used = []

    @box.tool(effect="write", redact="card")
    async def pay(card: str, amount: int) -> None:
        used.append(card)
        if len(used) == 1:
            raise sb.HttpFailure(403)

    async with box.session(goal="Pay") as session:
        result = await session.call("pay", {"card": "4111 1111", "amount": 5})
        assert "4111" not in json.dumps(console.cases[0].package)
        console.decide(result.case.key, "approve", proposal_id="retry")
        settled = await session.settle(result.case)
    assert settled.status == "executed"
    assert used == ["4111 1111", "4111 1111"]


async def test_101_an_agent_may_say_in_its_own_words_what_is_asked(console: FakeConsole) -> None:
    def offers(session: sb.Session, result: sb.Result, trigger: sb.vocabulary.Trigger) -> sb.Offer:  # type: ignore[name-defined]
        return sb.Offer(
            "The upgrade needs Ms Li's consent", [sb.Plan("ask", "continue", "Ask her", recommended=True)]
        )

    with sb.Toolbox(console.client(), clock=console.clock, offers=offers) as box:
        Travel(box)
        async with box.session(goal="Tokyo") as session:
            await session.call("upgrade", {"seat": "12A"})
    assert console.cases[0].package["title"] == "The upgrade needs Ms Li's consent"
    assert [each["id"] for each in console.cases[0].package["proposals"]] == ["ask"]


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


def test_everything_works_without_a_loop(box: sb.Toolbox, console: FakeConsole) -> None:
    refunds = []

    @box.tool(effect="write", compensate="refund")
    def book(flight: str) -> dict[str, str]:
        return {"booking_id": flight}

    @box.tool(effect="idempotent_write")
    def refund(booking_id: str) -> None:
        refunds.append(booking_id)

    with box.session(goal="Tokyo") as session:
        failed = session.call_sync("book", {"flight": "SB12"})
        case = session.hand_over_sync("It cannot go on", trigger="policy_conflict", failure=failed)
        assert console.cases[0].package["steps"][0]["tool"] == "book"
        plan = sb.Plan("undo", "compensate", "Undo", [sb.PlanStep("refund", {"booking_id": "SB12"}, id="r")])
        other = session.hand_over_sync("And now?", proposals=[plan])
        console.decide(case.key, "reject")
        console.decide(other.key, "approve", proposal_id="undo")
        assert session.settle_sync(case).action == "reject"
        assert session.settle_sync(other).status == "executed"
    assert refunds == ["SB12"]


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
