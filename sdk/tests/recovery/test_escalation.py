"""Handing over and settling: recovery.md §4.13, semantics 96-102."""

import pytest

import switchboard as sb
from switchboard.testing import FakeConsole


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
    assert [(step["tool"], step["side_effect"]) for step in package["steps"]][0] == ("book", "write")
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
