"""Rows of one cause stand together in the queue, at the place of the one that is due first."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from escalations.queries import QueueRow
from escalations.vocabulary import View

JUST_NOW = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Group:
    """What stands above the cases of one cause."""

    first: QueueRow  # the one that is due first
    n: int  # open cases of the cause, claimed ones and those beyond this page among them
    shown: int
    agents: int
    since: datetime
    joined: int  # of those shown, in the last minute

    @property
    def more(self) -> int:
        """Count those that are not shown here."""
        return max(0, self.n - self.shown)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the list: a case, or what stands above a group; `inside` names the cause of a case in one."""

    row: QueueRow
    group: Group | None = None
    inside: str = ""


def entries(rows: Sequence[QueueRow], *, view: View, at: datetime) -> tuple[Entry, ...]:
    """Put the rows of a page into groups. A claimed case stands alone, so that its lease can be seen."""
    if view is not View.OPEN:
        return tuple(Entry(row) for row in rows)
    together: dict[str, list[QueueRow]] = {}
    for row in rows:
        if row.fingerprint and not row.holder_id:
            together.setdefault(row.fingerprint, []).append(row)
    found: list[Entry] = []
    for row in rows:
        alike = together.get(row.fingerprint, []) if not row.holder_id else []
        if len(alike) < 2:
            found.append(Entry(row))
        elif alike[0] is row:
            found.append(Entry(row, group=_group(alike, at)))
            found += [Entry(each, inside=row.fingerprint) for each in alike]
    return tuple(found)


def _group(alike: Sequence[QueueRow], at: datetime) -> Group:
    return Group(
        first=alike[0],
        n=alike[0].same_cause,
        shown=len(alike),
        agents=len({row.agent_id for row in alike}),
        since=min(row.opened_at for row in alike),
        joined=sum(at - row.opened_at < JUST_NOW for row in alike),
    )
