"""The journal: recovery.md §4.11, semantics 87-91, and the death of the process at every instant."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import switchboard as sb
from switchboard.failure import SessionLost
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
from switchboard.journal.owner import Owner
from switchboard.testing import FakeClock
from switchboard.vocabulary import Effect


class Killed(BaseException):
    """Stands for the end of a process."""


@pytest.fixture(params=["memory", "sqlite"])
def journal(request: pytest.FixtureRequest, clock: FakeClock, tmp_path: Path) -> Any:
    if request.param == "memory":
        yield MemoryJournal("s")
        return
    opened = SqliteJournal(tmp_path / "j", "s", goal="g", trace_id="t", clock=clock)
    yield opened
    opened.close(finished=True)


def entry(clock: FakeClock, name: str = "c1", effect: Effect = Effect.WRITE, **more: Any) -> Entry:
    made = Entry(
        name, f"id-{name}", "pay", "1", effect, f"key-{name}", "f", {"a": 1}, State.STARTED, clock.now()
    )
    return replace(made, **more)


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


class World:
    """What has really happened, whatever any program believes."""

    def __init__(self) -> None:
        self.writes: Counter[str] = Counter()
        self.by_key: dict[str, int] = {}
        self.reads = 0
        self.told: dict[str, set[str]] = {}


class DyingJournal(SqliteJournal):
    """Dies before or after one of its writes."""

    def __init__(self, *args: Any, dies: Callable[[str], None], **more: Any) -> None:
        self._dies = dies
        super().__init__(*args, **more)

    def start(self, entry: Entry) -> None:
        self._dies("before start")
        super().start(entry)
        self._dies("after start")

    def settle(self, logical_id: str, state: State, result: str) -> None:
        self._dies("before settle")
        super().settle(logical_id, state, result)
        self._dies("after settle")


POINTS = ("before start", "after start", "before effect", "after effect", "before settle", "after settle")


def agent(world: World, journal: Path, clock: FakeClock, kill: tuple[int, str] | None) -> list[sb.Result]:
    """One life of an agent with four calls; it dies at the n-th passing of a point."""
    passed: Counter[str] = Counter()

    def dies(point: str) -> None:
        passed[point] += 1
        if kill == (passed[point], point):
            raise Killed(point)

    with sb.Toolbox(clock=clock) as box:

        @box.tool(effect="write", reconcile="find", name="pay")
        def pay(order: str) -> dict[str, str]:
            dies("before effect")
            world.writes[order] += 1
            dies("after effect")
            return {"paid": order}

        @box.tool(effect="read", name="find")
        def find(order: str) -> dict[str, str] | None:
            return {"paid": order} if world.writes[order] else None

        @box.tool(effect="idempotent_write", name="put")
        def put(value: int, ctx: sb.Context) -> int:
            dies("before effect")
            world.by_key[ctx.idempotency_key] = value
            dies("after effect")
            return value

        @box.tool(effect="read", name="look")
        def look(n: int) -> int:
            dies("before effect")
            world.reads += 1
            dies("after effect")
            return n

        opened = DyingJournal(journal, "task", goal="g", trace_id="t" * 32, clock=clock, dies=dies)
        session = box.session(id="task", goal="g", journal=opened, limits=sb.Limits(calls_per_tool=None))
        try:
            results = [
                session.call_sync("look", {"n": 1}),
                session.call_sync("pay", {"order": "o1"}),
                session.call_sync("put", {"value": 7}),
                session.call_sync("pay", {"order": "o2"}),
            ]
        finally:
            session.close(
                finished=False
            )  # a real death is tried below; here only the owner's lease is let go
    for result in results:
        world.told.setdefault(result.call_id, set()).add(result.for_model())
    return results


Kills = list[tuple[int, str]]
KILLS = st.lists(st.tuples(st.integers(1, 4), st.sampled_from(POINTS)), min_size=4, max_size=12)
COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.function_scoped_fixture]}


@settings(max_examples=12, **COMMON)
@given(kills=KILLS)
def test_87_whenever_it_dies_it_resumes_and_no_side_effect_happens_twice(
    tmp_path_factory: pytest.TempPathFactory, kills: Kills
) -> None:
    dies_and_resumes(tmp_path_factory, kills)


@pytest.mark.slow
@settings(max_examples=300, **COMMON)
@given(kills=KILLS)
def test_87_the_same_thousands_of_times(tmp_path_factory: pytest.TempPathFactory, kills: Kills) -> None:
    dies_and_resumes(tmp_path_factory, kills)


def dies_and_resumes(tmp_path_factory: pytest.TempPathFactory, kills: Kills) -> None:
    world, clock = World(), FakeClock()
    journal = tmp_path_factory.mktemp("kill") / "j"
    for kill in kills:
        try:
            agent(world, journal, clock, kill)
        except Killed:
            clock.advance(5)
    last = agent(world, journal, clock, None)
    again = agent(world, journal, clock, None)
    assert set(world.writes.values()) <= {1}
    assert len(world.by_key) == 1
    assert last[0].outcome in {"succeeded", "recovered"}
    assert all(result.error is None or result.error.class_ == "unknown_outcome" for result in last)
    paid = [result for result in last if result.tool == "pay" and result.ok]
    assert all(world.writes[result.args["order"]] == 1 for result in paid)
    assert [result.for_model() for result in again] == [result.for_model() for result in last]
    assert all(result.replayed for result in again)
    assert all(len(told) == 1 for told in world.told.values())


KILLED_FOR_REAL = """
import os, signal, sys
import switchboard as sb
from switchboard.journal import SqliteJournal

point, folder = sys.argv[1], sys.argv[2]

def dies(here):
    if here == point:
        os.kill(os.getpid(), signal.SIGKILL)

def note(what):
    with open(folder + "/world", "a") as world:
        world.write(what + "\\n")
        world.flush()
        os.fsync(world.fileno())

class Dying(SqliteJournal):
    def start(self, entry):
        dies("before start")
        super().start(entry)
        dies("after start")
    def settle(self, *args):
        dies("before settle")
        super().settle(*args)
        dies("after settle")

box = sb.Toolbox()

@box.tool(effect="write", reconcile="find")
def pay(order: str):
    dies("before effect")
    note("paid")
    dies("after effect")
    return {"paid": order}

@box.tool(effect="read")
def find(order: str):
    try:
        return {"paid": order} if "paid" in open(folder + "/world").read() else None
    except FileNotFoundError:
        return None

journal = Dying(folder + "/j", "task", goal="g", trace_id="t", clock=box.clock)
with box.session(id="task", goal="g", journal=journal) as session:
    print(session.call_sync("pay", {"order": "o1"}).for_model())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize("point", POINTS)
def test_87_the_same_by_kill_minus_9(tmp_path: Path, point: str) -> None:
    src = str(Path(sb.__file__).parents[1])

    def run(point: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", KILLED_FOR_REAL, point, str(tmp_path)]
        env = os.environ | {"PYTHONPATH": src}
        return subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=False)

    assert run(point).returncode == -signal.SIGKILL
    second = run("nowhere")
    assert second.returncode == 0, second.stderr
    told = json.loads(second.stdout)
    world = (tmp_path / "world").read_text().splitlines() if (tmp_path / "world").exists() else []
    assert world == ([] if point in {"after start", "before effect"} else ["paid"])
    assert told["ok"] is bool(world)
    if not world:
        assert told["error"]["executed"] == "unknown"


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


def test_89_a_second_owner_is_refused_while_the_first_lives(clock: FakeClock, tmp_path: Path) -> None:
    first = SqliteJournal(tmp_path / "j", "s", goal="g", trace_id="t", clock=clock)
    with pytest.raises(sb.SessionBusy):
        SqliteJournal(tmp_path / "j", "s", goal="g", trace_id="t", clock=clock)
    other = SqliteJournal(tmp_path / "j", "other", goal="g", trace_id="t", clock=clock)
    first.close(finished=False)
    second = SqliteJournal(tmp_path / "j", "s", goal="g", trace_id="new", clock=clock)
    assert (second.fence, second.trace_id) == (2, "t")
    for journal in (other, second):
        journal.close(finished=True)


def test_89_an_owner_on_another_machine_is_believed_as_long_as_its_lease(
    clock: FakeClock, tmp_path: Path
) -> None:
    first = SqliteJournal(tmp_path / "j", "s", goal="g", trace_id="t", clock=clock, lease_s=60)
    with sqlite3.connect(tmp_path / "j") as db:
        db.execute("UPDATE session SET owner = 'elsewhere|1|2|3'")
    db.close()
    with pytest.raises(sb.SessionBusy):
        SqliteJournal(tmp_path / "j", "s", goal="g", trace_id="t", clock=clock)
    clock.advance(61)
    second = SqliteJournal(tmp_path / "j", "s", goal="g", trace_id="t", clock=clock)
    with pytest.raises(SessionLost):
        first.start(entry(clock))
    second.start(entry(clock))
    first.close(finished=True)
    second.renew()
    second.close(finished=True)


async def test_89_a_process_that_has_lost_its_session_runs_nothing_more(
    box: sb.Toolbox, clock: FakeClock, tmp_path: Path
) -> None:
    ran = []

    @box.tool(effect="write")
    async def pay(n: int) -> None:
        ran.append(n)

    session = box.session(id="s", journal=tmp_path / "j")
    await session.call("pay", {"n": 1})
    with sqlite3.connect(tmp_path / "j") as db:
        db.execute("UPDATE session SET fence = fence + 1")
    db.close()
    with pytest.raises(SessionLost):
        await session.call("pay", {"n": 2})
    session.close()
    assert ran == [1]


def test_89_whether_an_owner_lives_can_be_told_on_this_machine() -> None:
    here = Owner.here()
    assert Owner.read(str(here)) == here
    assert here.alive() is True
    assert replace(here, started="1").alive() is False
    assert replace(here, machine="elsewhere").alive() is None
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    assert replace(here, pid=child.pid).alive() is False


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


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_child_has_threads_of_its_own_and_not_its_parents_session(tmp_path: Path) -> None:
    code = """
import os, sys
import switchboard as sb
box = sb.Toolbox()

@box.tool(effect="read")
def look(n: int) -> int:
    return n

@box.tool(effect="write")
def pay(n: int) -> int:
    return n

assert box.call_sync("look", {"n": 1}).data == 1
first = os.fork()
if first == 0:
    os._exit(7 if box.call_sync("look", {"n": 2}).data == 2 else 1)
assert os.waitstatus_to_exitcode(os.waitpid(first, 0)[1]) == 7
with box.session(id="s", journal=sys.argv[1]) as session:
    session.call_sync("pay", {"n": 1})
    child = os.fork()
    if child == 0:
        try:
            session.call_sync("pay", {"n": 2})
        except sb.SessionLost:
            os._exit(7)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert session.call_sync("pay", {"n": 3}).ok
"""
    env = os.environ | {"PYTHONPATH": str(Path(sb.__file__).parents[1])}
    command = [sys.executable, "-c", code, str(tmp_path / "j")]
    ended = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 0, ended.stderr
