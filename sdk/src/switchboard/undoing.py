"""What a session could take back: which of its calls have an undo that has not been run, last first."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from switchboard.journal import Entry, State
from switchboard.task import Task
from switchboard.tool import Undo, next_args
from switchboard.vocabulary import Executed


@dataclass(frozen=True, slots=True)
class Undoing:
    """One compensation: which call it takes back, and how."""

    logical_id: str
    call_id: str
    tool: str
    args: dict[str, Any]
    note: str


def to_undo(session: Task) -> tuple[Undoing, ...]:
    """Every finished write that has an undo and has not been undone, last first."""
    journal = session.journal
    entries = journal.entries() if journal else ()
    gone = {each.logical_id for each in entries if each.state is State.DONE and _worked(each)}
    found = [
        undoing
        for entry in reversed(entries)
        if entry.compensation is not None and _happened(entry) and _name(entry) not in gone
        if (undoing := _undoing(session, entry)) is not None
    ]
    return tuple(found)


def no_return(session: Task, entries: Sequence[Entry]) -> str | None:
    """The call after which nothing is taken back automatically, if there was one."""
    for entry in entries:
        tool = session.box.tools.get(entry.tool)
        if tool is not None and tool.point_of_no_return and _happened(entry):
            return f"{entry.tool} ({entry.logical_id}) was a point of no return"
    return None


def _happened(entry: Entry) -> bool:
    return entry.state in {State.DONE, State.RECONCILED} and _worked(entry)


def _worked(entry: Entry) -> bool:
    told = json.loads(entry.result or "{}")
    return told.get("error") is None or told["error"].get("executed") in {
        Executed.YES.value,
        Executed.PARTLY.value,
    }


def _name(entry: Entry) -> str:
    return f"{entry.logical_id}/undo"


def _undoing(session: Task, entry: Entry) -> Undoing | None:
    link = entry.compensation or {}
    tool = session.box.tools.get(str(link.get("tool")))
    if tool is None:
        return None
    told = json.loads(entry.result or "{}")
    given = next_args(
        Undo(tool.name, link.get("args")), tool.signature.names, args=entry.args, result=told.get("data")
    )
    return Undoing(entry.logical_id, entry.call_id, tool.name, given, f"Takes back {entry.tool}.")
