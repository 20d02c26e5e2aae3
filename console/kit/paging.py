"""Keyset paging: a cursor is the sort key of the last row, opaque to whoever carries it."""

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Generic, TypeVar
from uuid import UUID

from console.kit.refusal import FieldError, Kind, Refused

T = TypeVar("T")
Key = tuple[object, ...]


class BadCursor(Refused):
    """The cursor was not made here."""

    kind, code = Kind.INVALID, "BAD_CURSOR"


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some rows, and the cursors that lead on; None where there is nothing further."""

    rows: tuple[T, ...]
    after: str | None = None


def encode(key: Key) -> str:
    """Make an opaque URL-safe cursor of a sort key of texts, numbers, times and UUIDs."""
    plain = [
        part.isoformat() if isinstance(part, datetime) else str(part) if isinstance(part, UUID) else part
        for part in key
    ]
    return base64.urlsafe_b64encode(json.dumps(plain, separators=(",", ":")).encode()).decode().rstrip("=")


def decode(cursor: str, *types: Callable[[str], object]) -> Key:
    """Read a cursor back as the types given (`datetime.fromisoformat`, `UUID`, `int`, `str`), or refuse."""
    try:
        parts = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        if not isinstance(parts, list) or len(parts) != len(types):
            raise ValueError("wrong number of parts")
        return tuple(_fit(make(part)) for make, part in zip(types, parts, strict=True))
    except (ValueError, TypeError, AttributeError, OverflowError, binascii.Error, RecursionError) as exc:
        wrong = FieldError(
            "BAD_CURSOR", "after", "a cursor from an earlier answer", cursor[:80], "Start without one."
        )
        raise BadCursor("The cursor is not one of ours.", errors=(wrong,)) from exc


def _fit(part: object) -> object:
    """Give a part that a database can be asked about: a number of 64 bits, a moment of our calendar, a clean text."""
    if isinstance(part, int) and not -(2**63) <= part < 2**63:
        raise ValueError("more than 64 bits")
    if isinstance(part, datetime):
        if part.tzinfo is None:
            raise ValueError("a moment without a zone")
        part.astimezone(UTC)
    if isinstance(part, str) and b"\0" in part.encode():
        raise ValueError("a text with NUL")
    return part


def page_of(rows: Sequence[T], *, limit: int, key: Callable[[T], Key]) -> Page[T]:
    """Cut `limit + 1` fetched rows to a page that knows whether more follow."""
    shown = tuple(rows[:limit])
    return Page(shown, encode(key(shown[-1])) if len(rows) > limit else None)


def page_within(
    rows: Sequence[T],
    *,
    after: str | None,
    limit: int,
    key: Callable[[T], Key],
    types: tuple[Callable[[str], object], ...],
) -> Page[T]:
    """Cut a page out of rows that are in memory, ordered by `key`: those behind the cursor, which may be gone itself."""
    behind = decode(after, *types) if after else None
    rest = rows if behind is None else [row for row in rows if key(row) > behind]
    return page_of(rest[: limit + 1], limit=limit, key=key)
