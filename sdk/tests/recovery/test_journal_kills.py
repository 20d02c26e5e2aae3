"""The death of the process at every instant: recovery.md §4.11, semantics 87."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import switchboard as sb
from switchboard.journal import Entry, SqliteJournal, State
from switchboard.testing import FakeClock


class Killed(BaseException):
    """Stands for the end of a process."""


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


class Now:
    """The world of this example, and what kills the life that is being lived in it."""

    world: World
    dies: Callable[[str], None]


TOOLS = sb.Toolbox()  # reading their signatures anew in each of thousands of lives would be most of the work


@TOOLS.tool(effect="write", reconcile="find")
def pay(order: str) -> dict[str, str]:
    Now.dies("before effect")
    Now.world.writes[order] += 1
    Now.dies("after effect")
    return {"paid": order}


@TOOLS.tool(effect="read")
def find(order: str) -> dict[str, str] | None:
    return {"paid": order} if Now.world.writes[order] else None


@TOOLS.tool(effect="idempotent_write")
def put(value: int, ctx: sb.Context) -> int:
    Now.dies("before effect")
    Now.world.by_key[ctx.idempotency_key] = value
    Now.dies("after effect")
    return value


@TOOLS.tool(effect="read")
def look(n: int) -> int:
    Now.dies("before effect")
    Now.world.reads += 1
    Now.dies("after effect")
    return n


def agent(world: World, journal: Path, clock: FakeClock, kill: tuple[int, str] | None) -> list[sb.Result]:
    """One life of an agent with four calls; it dies at the n-th passing of a point."""
    passed: Counter[str] = Counter()

    def dies(point: str) -> None:
        passed[point] += 1
        if kill == (passed[point], point):
            raise Killed(point)

    Now.world, Now.dies = world, dies  # type: ignore[method-assign,assignment]
    with sb.Toolbox(clock=clock) as box:
        box.tools.update(TOOLS.tools)
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
    quick_folder: Path, kills: Kills
) -> None:
    dies_and_resumes(quick_folder, kills)


@pytest.mark.slow
@settings(max_examples=200, **COMMON)  # of eight deaths or so each
@given(kills=KILLS)
def test_87_the_same_thousands_of_times(quick_folder: Path, kills: Kills) -> None:
    dies_and_resumes(quick_folder, kills)


def dies_and_resumes(folder: Path, kills: Kills) -> None:
    world, clock = World(), FakeClock()
    journal = Path(tempfile.mkdtemp(dir=folder)) / "j"
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
