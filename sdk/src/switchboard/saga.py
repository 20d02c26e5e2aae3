"""Taking back what was done: in which order, each once, and what people are told of the rest."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from switchboard._ids import uuid7
from switchboard.journal import Entry, State
from switchboard.result import Result
from switchboard.runtime import Runtime
from switchboard.stored import reconciled
from switchboard.tool import next_args
from switchboard.undoing import Undoing, no_return, to_undo
from switchboard.vocabulary import RecoveredBy, Trigger
from switchboard.work import Work

Order = Callable[[Sequence[Undoing]], Sequence[Undoing]]


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


async def compensate(session: Work, runtime: Runtime, *, order: Order | None = None) -> Undone:
    """Run the compensations: in reverse, or in `order`. One that fails does not stop the others; people are told.

    After a point of no return nothing is taken back automatically.
    """
    journal = session.journal
    entries = journal.entries() if journal else ()
    if (barrier := no_return(session, entries)) is not None:
        return Undone(left=tuple(each.logical_id for each in to_undo(session)), stopped=barrier)
    unknown = [entry for entry in entries if entry.state is State.UNKNOWN and entry.compensation is not None]
    still_unknown = [entry.logical_id for entry in unknown if not await _reconciled(session, runtime, entry)]
    planned: Sequence[Undoing] = to_undo(session)
    results: dict[str, Result] = {}
    for each in order(planned) if order else planned:
        results[each.logical_id] = await session.path.make(
            runtime, each.tool, each.args, logical_id=f"{each.logical_id}/undo", inner=True
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


async def _reconciled(session: Work, runtime: Runtime, entry: Entry) -> bool:
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
    seen = await session.path.make(
        runtime,
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


async def _tell_a_person(session: Work, runtime: Runtime, undone: Undone) -> None:
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
