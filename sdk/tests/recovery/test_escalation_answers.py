"""What people answer, and the time it takes them: recovery.md §4.13, semantics 100-102."""

import asyncio
import json

from travel import Travel

import switchboard as sb
from switchboard.breaker import Permit
from switchboard.testing import FakeConsole


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


async def test_101_the_package_says_how_the_session_stands_and_offers_what_can_be_done(
    box: sb.Toolbox, travel: Travel, console: FakeConsole
) -> None:
    """Goal, last turn, arguments, attempts, journal and limits; check and retry, take back, go on; done with proof, or not."""
    travel.upgrade_fails = TimeoutError()
    async with box.session(goal="Tokyo in business class") as session:
        with session.turn(reasoning="She wants to sleep."):
            await session.call("book", {"flight": "SB12"})
            await session.call("upgrade", {"seat": "12A"})
    package = console.cases[0].package
    assert package["goal"] == "Tokyo in business class"
    assert package["context"]["reasoning"] == "She wants to sleep."
    assert package["context"]["journal"] == {"done": 2, "started": 1}  # the check was made too
    assert package["context"]["limits"]["calls"] == {"used": 2, "max": 10}
    assert package["failure"]["args"] == {"seat": "12A"}
    assert len(package["failure"]["attempts"]) == 1
    assert [plan["id"] for plan in package["proposals"]] == ["check-then-retry", "undo", "continue"]
    assert set(package["question"]["response_schema"]["properties"]) == {"happened", "value", "proof"}
