"""Handing over: recovery.md §4.13, semantics 96 and 97."""

import contextlib
from pathlib import Path

import pytest
from travel import Travel

import switchboard as sb
from switchboard.journal import SqliteJournal, State
from switchboard.settlement import Settlement
from switchboard.testing import FakeClock, FakeConsole


class Killed(BaseException):
    """Stands for the end of a process."""


async def test_a_refusal_by_permission_goes_to_a_person_with_everything_they_need(
    box: sb.Toolbox, travel: Travel, console: FakeConsole
) -> None:
    async with box.session(goal="Get Ms Li to Tokyo") as session:
        with session.turn(reasoning="She wants the window."):
            await session.call("book", {"flight": "SB12"})
            result = await session.call("upgrade", {"seat": "12A"})
    assert result.outcome == "escalated"
    assert result.case is not None
    assert result.case.url == f"http://console.test/cases/{console.cases[0].ref}/"
    package = console.cases[0].package
    assert package["goal"] == "Get Ms Li to Tokyo"
    assert package["trigger"] == "auth_failure"
    assert package["failure"]["tool"] == "upgrade"
    assert package["failure"]["code"] == "FORBIDDEN"
    assert package["failure"]["args"] == {"seat": "12A"}
    assert package["failure"]["side_effect"] == "write"
    assert package["failure"]["reasoning"] == "She wants the window."
    assert [attempt["http_status"] for attempt in package["failure"]["attempts"]] == [403]
    assert (package["steps"][0]["tool"], package["steps"][0]["side_effect"]) == ("book", "write")
    assert package["context"]["reasoning"] == "She wants the window."
    kinds = {proposal["id"]: proposal["kind"] for proposal in package["proposals"]}
    assert kinds == {"retry": "retry", "undo": "compensate", "continue": "continue"}
    assert package["proposals"][0]["recommended"] is True
    undo = package["proposals"][1]["steps"][0]
    assert (undo["tool"], undo["args"]) == ("refund", {"booking_id": "B-SB12"})


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
    assert [each.outcome for each in again.results.values()] == ["succeeded"]
    assert world[0].refunds == ["B-SB12"]
    assert len(console.cases) == 1
    assert len(console.cases[0].acks) == 1


@pytest.mark.parametrize("reported", [False, True], ids=["before its report", "after its report"])
async def test_97_a_process_killed_with_a_step_done_reports_what_was_done(
    console: FakeConsole, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, reported: bool
) -> None:
    refunds: list[str] = []

    async def run() -> sb.Settled:
        with sb.Toolbox(console.client(), clock=console.clock) as box:
            travel = Travel(box)
            travel.refunds = refunds
            async with box.session(id="trip-1", goal="Tokyo", journal=tmp_path / "journal") as session:
                await session.call("book", {"flight": "SB12"})
                result = await session.call("upgrade", {"seat": "12A"})
                if console.cases[0].decision is None:
                    console.decide(console.cases[0], "approve", proposal_id="undo")
                return await session.settle(result.case, timeout=60)

    report = Settlement._report

    async def dies(self: Settlement, *args: object) -> None:
        if reported:
            await report(self, *args)  # type: ignore[arg-type]
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(Settlement, "_report", dies)
        with pytest.raises(Killed):
            await run()
    settled = await run()
    assert settled.status == "executed"
    assert refunds == ["B-SB12"]
    ends = [(told["status"], told["steps"][0]["status"]) for told in console.outcomes]
    assert set(ends) == {("executed", "succeeded")}
    assert len({told["report_id"] for told in console.outcomes}) == 1


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
    ("effect", "trigger", "failure_class"),
    [("idempotent_write", "other", "transient"), ("write", "unknown_outcome", "unknown_outcome")],
)
async def test_only_what_may_not_be_sent_again_is_handed_over_as_unknown(
    console: FakeConsole, effect: sb.vocabulary.Effect, trigger: str, failure_class: str
) -> None:
    with sb.Toolbox(console.client(), clock=console.clock) as box:

        @box.tool(name="seat", effect=effect, policy=sb.Policy(attempts=2, base_s=0))
        async def seat(where: str) -> str:
            """A service that is away after it was sent something."""
            raise sb.HttpFailure(503)

        async with box.session(goal="A seat") as session:
            await session.call("seat", {"where": "12A"})
    (case,) = console.cases
    assert (case.package["trigger"], case.package["failure"]["class"]) == (trigger, failure_class)
