"""Who owns a journal: recovery.md §4.11, semantics 89."""

import os
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from entries import entry

import switchboard as sb
from switchboard.failure import SessionLost
from switchboard.journal import SqliteJournal
from switchboard.journal.owner import Owner
from switchboard.testing import FakeClock


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


def test_a_session_ends_even_where_the_journal_cannot_be_written(
    tmp_path: Path, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    """A full disk must not hide what the program itself raises, nor keep the file open."""
    journal = SqliteJournal(tmp_path / "j", "s", goal="g", trace_id="t", clock=clock)
    with sb.Toolbox(clock=clock) as box:
        session = box.session(id="s", journal=journal)
        journal._db.execute("PRAGMA query_only=ON")  # stands for the full disk: every write fails
        with pytest.raises(KeyError, match="its own"), session:
            raise KeyError("its own")
    assert "could not be given back" in caplog.text
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        journal._db.execute("SELECT 1")


def test_89_a_write_makes_the_lease_longer_when_a_quarter_of_it_is_gone(
    tmp_path: Path, clock: FakeClock
) -> None:
    journal = SqliteJournal(tmp_path / "j", "s", goal="g", trace_id="t", clock=clock, lease_s=60)
    with sqlite3.connect(tmp_path / "j") as seen:

        def lease() -> float:
            row = seen.execute("SELECT lease_until FROM session").fetchone()
            return float(row[0])

        first = lease()
        clock.advance(10)
        journal.renew()
        assert lease() == first
        clock.advance(10)
        journal.renew()
        assert lease() == first + 20
    seen.close()
    journal.close(finished=True)


async def test_a_full_disk_is_one_line_in_the_log_and_said_in_every_result(
    box: sb.Toolbox, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ran = []

    @box.tool(effect="write")
    async def pay(what: str) -> None:
        ran.append(what)

    session = box.session(journal=tmp_path / "j", limits=sb.Limits(calls=None, calls_per_tool=None))
    assert isinstance(session.journal, SqliteJournal)
    pages = session.journal._db.execute("PRAGMA page_count").fetchone()[0]
    session.journal._db.execute(
        f"PRAGMA max_page_count={pages}"
    )  # the disk is full for real, as SQLite sees it
    results = [await session.call("pay", {"what": f"{n}" * 5_000}) for n in range(5)]
    session.close(finished=False)
    assert {result.error.code for result in results if result.error} == {"JOURNAL_UNAVAILABLE"}
    assert {result.executed for result in results} == {"no"}
    assert ran == []
    lines = [record for record in caplog.records if "journal" in record.getMessage()]
    assert [record.exc_info for record in lines] == [None]
    assert "database or disk is full" in lines[0].getMessage()
