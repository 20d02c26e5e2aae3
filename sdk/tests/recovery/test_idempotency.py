"""Doing it once: recovery.md §4.5, semantics 42-52."""

import asyncio
import contextlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import switchboard as sb
from switchboard.journal import Entry, KeyTaken, SqliteJournal, State
from switchboard.logical import key_of
from switchboard.testing import FakeClock
from switchboard.vocabulary import Effect


class Killed(BaseException):
    """Stands for the end of a process."""


class Bank:
    """A payment tool and what it was really asked to do."""

    def __init__(self, box: sb.Toolbox, **fields: Any) -> None:
        self.sent: list[tuple[str, int]] = []
        self.failures: list[BaseException] = []
        box.tool(**{"effect": "write", "name": "pay", "unfingerprinted": "reason", **fields})(self.pay)

    async def pay(self, amount: int, ctx: sb.Context, reason: str = "") -> dict[str, Any]:
        if self.failures:
            raise self.failures.pop(0)
        self.sent.append((ctx.idempotency_key, amount))
        return {"paid": amount, "n": len(self.sent)}


@pytest.fixture
def bank(box: sb.Toolbox) -> Bank:
    return Bank(box)


def test_42_the_key_is_made_of_session_call_tool_and_version_and_of_nothing_else(
    box: sb.Toolbox, bank: Bank
) -> None:
    tool = box.tools["pay"]
    key = key_of("s1", "c1", tool)
    assert key == key_of("s1", "c1", tool)
    assert len({key, key_of("s2", "c1", tool), key_of("s1", "c2", tool)}) == 3


def test_42_joining_the_parts_in_another_way_makes_another_key(box: sb.Toolbox, bank: Bank) -> None:
    tool = box.tools["pay"]
    assert key_of("s1", "1c", tool) != key_of("s11", "c", tool)


async def test_42_a_restart_keeps_the_key(clock: FakeClock, tmp_path: Path) -> None:
    keys: list[str] = []
    for _ in range(2):
        with sb.Toolbox(clock=clock) as box:

            @box.tool(effect="idempotent_write")
            async def put(ctx: sb.Context) -> None:
                keys.append(ctx.idempotency_key)
                if len(keys) == 1:
                    raise Killed

            session = box.session(id="s", journal=tmp_path / "j")
            with contextlib.suppress(Killed):
                await session.call("put")
            session.close(finished=False)
    assert len(keys) == 2
    assert len(set(keys)) == 1


async def test_42_a_refusal_after_a_restart_is_no_proof_that_the_first_life_did_nothing(
    clock: FakeClock, tmp_path: Path
) -> None:
    ends: list[BaseException] = [Killed(), sb.ToolFailure("hard", "TAKEN")]
    for _ in range(2):
        with sb.Toolbox(clock=clock) as box:

            @box.tool(effect="idempotent_write")
            async def put() -> None:
                raise ends.pop(0)

            session = box.session(id="s", journal=tmp_path / "j")
            with contextlib.suppress(Killed):
                result = await session.call("put")
            session.close(finished=False)
    assert (result.error.code, result.executed) == ("TAKEN", "unknown")


async def test_43_a_call_is_named_by_its_place_or_by_the_frameworks_id(box: sb.Toolbox, bank: Bank) -> None:
    async with box.session(goal="g") as session:
        await session.call("pay", {"amount": 1})
        await session.call("pay", {"amount": 2}, call_id="toolu_9")
        await session.call("pay", {"amount": 3})
        assert session.journal is not None
        assert [entry.logical_id for entry in session.journal.entries()] == ["c1", "toolu_9", "c2"]


async def test_44_the_same_call_with_other_arguments_executes_nothing(box: sb.Toolbox, bank: Bank) -> None:
    async with box.session(goal="g") as session:
        await session.call("pay", {"amount": 1}, call_id="x")
        result = await session.call("pay", {"amount": 2}, call_id="x")
    assert result.error is not None
    assert (result.error.code, result.executed) == ("IDEMPOTENCY_CONFLICT", "no")
    assert len(bank.sent) == 1


async def test_45_the_same_call_under_way_is_not_started_again(box: sb.Toolbox) -> None:
    begun, go = asyncio.Event(), asyncio.Event()
    runs = []

    @box.tool(effect="write")
    async def slow() -> str:
        runs.append(1)
        begun.set()
        await go.wait()
        return "done"

    async with box.session(goal="g") as session:
        first = asyncio.create_task(session.call("slow", call_id="x"))
        await begun.wait()
        second = await session.call("slow", call_id="x")
        go.set()
        assert (await first).data == "done"
    assert second.error is not None
    assert second.error.code == "IN_PROGRESS"
    assert len(runs) == 1


async def test_46_the_same_call_again_is_the_stored_answer(box: sb.Toolbox, bank: Bank) -> None:
    async with box.session(goal="g") as session:
        first = await session.call("pay", {"amount": 1}, call_id="x")
        again = await session.call("pay", {"amount": 1}, call_id="x")
    assert (first.replayed, again.replayed) == (False, True)
    assert again.for_model() == first.for_model()
    assert len(bank.sent) == 1


async def test_46_a_stored_failure_is_replayed_too(box: sb.Toolbox, bank: Bank) -> None:
    bank.failures = [sb.ToolFailure("hard", "DECLINED")]
    async with box.session(goal="g") as session:
        first = await session.call("pay", {"amount": 1}, call_id="x")
        again = await session.call("pay", {"amount": 1}, call_id="x")
    assert again.error is not None
    assert again.for_model() == first.for_model()
    assert bank.sent == []


async def test_47_what_was_never_valid_leaves_the_key_free(box: sb.Toolbox, bank: Bank) -> None:
    async with box.session(goal="g") as session:
        await session.call("pay", {"amount": "much"}, call_id="x")
        result = await session.call("pay", {"amount": 1}, call_id="x")
    assert result.ok
    assert len(bank.sent) == 1


async def test_48_a_new_call_with_the_meaning_of_an_earlier_write_is_that_write(
    box: sb.Toolbox, bank: Bank
) -> None:
    async with box.session(goal="g") as session:
        first = await session.call("pay", {"amount": 1})
        second = await session.call("pay", {"amount": 1})
    assert (second.outcome, second.data) == ("skipped", first.data)
    assert "DUPLICATE_SUSPECTED" in second.note
    assert len(bank.sent) == 1


async def test_48_an_unknown_write_asked_for_again_stays_unknown(box: sb.Toolbox, bank: Bank) -> None:
    bank.failures = [TimeoutError()]
    async with box.session(goal="g") as session:
        await session.call("pay", {"amount": 1})
        second = await session.call("pay", {"amount": 1})
    assert second.executed == "unknown"
    assert bank.sent == []


async def test_48_a_write_that_certainly_did_not_happen_may_be_made_again(
    box: sb.Toolbox, bank: Bank
) -> None:
    bank.failures = [sb.ToolFailure("hard", "DECLINED")]
    async with box.session(goal="g") as session:
        await session.call("pay", {"amount": 1})
        assert (await session.call("pay", {"amount": 1})).ok


async def test_48_a_tool_may_say_that_twice_means_twice(box: sb.Toolbox) -> None:
    bank = Bank(box, repeatable=True)
    async with box.session(goal="g") as session:
        await session.call("pay", {"amount": 1})
        await session.call("pay", {"amount": 1})
    assert len({key for key, _ in bank.sent}) == 2


async def test_49_rewording_free_text_does_not_make_another_payment(box: sb.Toolbox, bank: Bank) -> None:
    async with box.session(goal="g") as session:
        await session.call("pay", {"amount": 1, "reason": "dinner"})
        await session.call("pay", {"amount": 1, "reason": "the dinner"})
    assert len(bank.sent) == 1


async def test_50_no_model_can_see_or_set_the_key(box: sb.Toolbox, bank: Bank) -> None:
    schema = box.tools["pay"].schema
    assert set(schema["properties"]) == {"amount", "reason"}
    result = await box.call("pay", {"amount": 1, "ctx": {"idempotency_key": "mine"}})
    assert result.error is not None
    assert result.error.errors[0].code == "UNKNOWN_FIELD"
    assert "key" not in (await box.call("pay", {"amount": 1})).for_model()


def test_51_the_key_is_short_and_says_nothing(box: sb.Toolbox, bank: Bank) -> None:
    key = key_of("li@example.com", "c1", box.tools["pay"])
    assert len(key) <= 255
    assert "li@example.com" not in key


async def test_51_a_key_older_than_the_services_memory_is_not_sent_again(
    clock: FakeClock, tmp_path: Path
) -> None:
    policy = sb.Policy(honours_key=True, key_retention_s=3600)
    for age in (0, 7200):
        with sb.Toolbox(clock=clock) as box:
            bank = Bank(box, policy=policy)
            bank.failures = [Killed()] if age == 0 else []
            clock.advance(age)
            session = box.session(id="s", journal=tmp_path / "j")
            try:
                result = await session.call("pay", {"amount": 1})
                assert result.error is not None
                assert result.error.code == "INTERRUPTED"
            except Killed:
                assert age == 0
            finally:
                session.close(finished=False)
    assert bank.sent == []


def test_52_of_two_that_reserve_one_key_only_one_wins(clock: FakeClock, tmp_path: Path) -> None:
    path = tmp_path / "j"
    journals = [SqliteJournal(path, f"s{n}", goal="", trace_id="t", clock=clock) for n in range(2)]
    entry = Entry("c1", "id", "pay", "1", Effect.WRITE, "the-key", "f", {}, State.STARTED, clock.now())

    def reserve(journal: SqliteJournal) -> bool:
        try:
            journal.start(entry)
        except KeyTaken:
            return False
        return True

    with ThreadPoolExecutor(2) as pool:
        won = list(pool.map(reserve, journals))
    assert sorted(won) == [False, True]
    for journal in journals:
        journal.close(finished=True)


@given(session=st.text(max_size=20), call=st.text(max_size=20))
def test_42_the_key_is_over_the_canonical_form(session: str, call: str) -> None:
    box = sb.Toolbox()
    Bank(box)
    tool = box.tools["pay"]
    assert key_of(session, call, tool) == sb.digest(["switchboard/1", session, call, "pay", "1"])
