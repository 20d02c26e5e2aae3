"""Reading the audit: one subject's history, a page of all, and the proof of the chain."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from console.audit.chain import GENESIS, Link, entry_hash
from console.audit.models import AuditEntry, AuditHead
from console.kit.paging import Page, decode, page_of


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of history, as pages show it."""

    seq: int
    subject: str
    verb: str
    actor_kind: str
    actor_id: str
    actor_name: str
    source: str
    at: datetime
    before: str
    after: str
    detail: dict[str, object]
    hash: str


@dataclass(frozen=True, slots=True)
class Proof:
    """The answer of a verification: how many entries were read, and every break that was found."""

    entries: int
    breaks: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Say whether the chain is whole."""
        return not self.breaks


def history(*, subject: str, limit: int = 200) -> tuple[Entry, ...]:
    """Give a subject's entries, oldest first."""
    rows = AuditEntry.objects.filter(subject=subject).order_by("-seq")[:limit]
    return tuple(_entry(row) for row in reversed(rows))


def every(*, subject: str = "") -> Iterator[Entry]:
    """Give all entries, oldest first, however many there are."""
    rows = AuditEntry.objects.order_by("seq")
    if subject:
        rows = rows.filter(subject=subject)
    return (_entry(row) for row in rows.iterator(chunk_size=2_000))


def entries(
    *, after: str | None = None, subject: str = "", actor_id: str = "", limit: int = 100
) -> Page[Entry]:
    """Give a page of all entries, newest first."""
    rows = AuditEntry.objects.order_by("-seq")
    if subject:
        rows = rows.filter(subject=subject)
    if actor_id:
        rows = rows.filter(actor_id=actor_id)
    if after:
        (seq,) = decode(after, int)
        rows = rows.filter(seq__lt=seq)
    return page_of([_entry(row) for row in rows[: limit + 1]], limit=limit, key=lambda entry: (entry.seq,))


def verify() -> Proof:
    """Recompute every hash in order; name each entry whose text, place or link does not agree."""
    breaks: list[str] = []
    count, previous, by_subject = 0, GENESIS, dict[str, str]()
    for count, row in enumerate(AuditEntry.objects.order_by("seq").iterator(chunk_size=2_000), start=1):
        breaks += _faults(row, count, previous, by_subject.get(row.subject, GENESIS))
        previous = by_subject[row.subject] = row.hash
    head = AuditHead.objects.filter(pk=1).first()
    if head is not None and (head.seq, head.hash) != (count, previous):
        breaks.append(
            f"the head says {head.seq} entries, {count} were found: the end of the chain is missing"
        )
    return Proof(count, tuple(breaks))


def _faults(row: AuditEntry, place: int, previous: str, subject_previous: str) -> Iterator[str]:
    if row.seq != place:
        yield f"entry {row.seq} stands at place {place}: one is missing or was added"
    if row.previous != previous:
        yield f"entry {row.seq} does not stand on the entry before it"
    if row.subject_previous != subject_previous:
        yield f"entry {row.seq} does not stand on the entry before it of {row.subject}"
    if entry_hash(Link(**{name: getattr(row, name) for name in Link.__slots__})) != row.hash:
        yield f"entry {row.seq} was changed"


def _entry(row: AuditEntry) -> Entry:
    return Entry(**{name: getattr(row, name) for name in Entry.__slots__})
