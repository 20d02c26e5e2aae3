"""Taking back what was done: which calls have an undo, in which order, and running it."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from switchboard._ids import uuid7
from switchboard.journal import Entry, State
from switchboard.result import Result
from switchboard.runtime import Runtime
from switchboard.stored import reconciled
from switchboard.tool import Undo, next_args
from switchboard.vocabulary import Executed, RecoveredBy, Trigger

if TYPE_CHECKING:
    from switchboard.session import Session

Order = Callable[[Sequence["Undoing"]], Sequence["Undoing"]]


@dataclass(frozen=True, slots=True)
class Undoing:
    """One compensation: which call it takes back, and how."""

    logical_id: str
    call_id: str
    tool: str
    args: dict[str, Any]
    note: str


@dataclass(frozen=True, slots=True)
class Undone:
    """What became of a saga. `left` still stands in the world; `unknown` nobody could tell."""

    undone: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    results: dict[str, Result] = field(default_factory=dict)
    stopped: str | None = None

    @property
    def complete(self) -> bool:
        """Nothing is left that should be gone."""
        return not self.left and not self.unknown and self.stopped is None


def to_undo(session: "Session") -> tuple[Undoing, ...]:
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


async def compensate(session: "Session", runtime: Runtime, *, order: Order | None = None) -> Undone:
    """Run the compensations: in reverse, or in `order`. One that fails does not stop the others; people are told.

    After a point of no return nothing is taken back automatically.
    """
    journal = session.journal
    entries = journal.entries() if journal else ()
    if (barrier := _no_return(session, entries)) is not None:
        return Undone(left=tuple(each.logical_id for each in to_undo(session)), stopped=barrier)
    unknown = [entry for entry in entries if entry.state is State.UNKNOWN and entry.compensation is not None]
    still_unknown = [entry.logical_id for entry in unknown if not await _reconciled(session, runtime, entry)]
    planned: Sequence[Undoing] = to_undo(session)
    results: dict[str, Result] = {}
    for each in order(planned) if order else planned:
        results[each.logical_id] = await session.box.path.make(
            runtime, session, each.tool, each.args, logical_id=f"{each.logical_id}/undo", inner=True
        )
    undone = Undone(
        undone=tuple(name for name, result in results.items() if result.ok),
        left=tuple(name for name, result in results.items() if not result.ok),
        unknown=tuple(still_unknown),
        results=results,
    )
    if not undone.complete and session.can_hand_over:
        await _tell_a_person(session, runtime, undone)
    return undone


async def _reconciled(session: "Session", runtime: Runtime, entry: Entry) -> bool:
    """Find out first whether there is anything to take back."""
    tool = session.box.tools.get(entry.tool)
    link = tool.reconcile if tool else None
    reader = session.box.tools.get(link.tool) if link else None
    journal = session.journal
    if link is None or reader is None or journal is None:
        return False
    given = next_args(
        link, reader.signature.names, args={**entry.args, "idempotency_key": entry.key}, result=None
    )
    seen = await session.box.path.make(
        runtime,
        session,
        reader.name,
        given,
        logical_id=f"{entry.logical_id}/undo-check/{uuid7()}",
        inner=True,
    )
    if not seen.ok and (seen.error is None or seen.error.code != "NO_RESULTS"):
        return False
    journal.reconcile(
        entry.logical_id, reconciled(entry, happened=seen.ok, data=seen.data, by=RecoveredBy.RULE)
    )
    return True


async def _tell_a_person(session: "Session", runtime: Runtime, undone: Undone) -> None:
    names = ", ".join((*undone.left, *undone.unknown))
    failure = next((result for result in undone.results.values() if not result.ok), None)
    await session.desk.open(
        runtime,
        f"Not everything could be taken back: {names}",
        trigger=Trigger.COMPENSATION_FAILED,
        failure=failure,
        severity="critical",
        key_parts=["compensation", names],
    )


def _no_return(session: "Session", entries: Sequence[Entry]) -> str | None:
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


def _undoing(session: "Session", entry: Entry) -> Undoing | None:
    link = entry.compensation or {}
    tool = session.box.tools.get(str(link.get("tool")))
    if tool is None:
        return None
    told = json.loads(entry.result or "{}")
    given = next_args(
        Undo(tool.name, link.get("args")), tool.signature.names, args=entry.args, result=told.get("data")
    )
    return Undoing(entry.logical_id, entry.call_id, tool.name, given, f"Takes back {entry.tool}.")
