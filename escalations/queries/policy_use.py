"""What policies matched lately, and how each came to be as it is."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from console.audit.queries import history
from escalations.models import Case
from escalations.queries.related import related_case
from escalations.queries.shapes import RelatedCase

LATELY = timedelta(days=7)
MOST_CASES = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One entry of a policy's history."""

    verb: str
    version: int
    by_name: str
    at: datetime
    mode: str
    match: Mapping[str, Any]
    effect: Mapping[str, Any]


def matched_lately(*, at: datetime) -> Mapping[str, int]:
    """Count the cases of the last seven days that each policy ruled or watched, by its name."""
    counts: Counter[str] = Counter()
    for _key, names in _lately(at):
        counts.update(names)
    return counts


def cases_lately(*, name: str, at: datetime, limit: int) -> tuple[int, tuple[RelatedCase, ...]]:
    """Count what one policy ruled or watched in the last seven days, and give the newest of it."""
    keys = [key for key, names in _lately(at) if name in names]
    rows = Case.objects.filter(pk__in=keys[:limit]).order_by("-opened_at", "-id")
    return len(keys), tuple(related_case(row) for row in rows)


def _lately(at: datetime) -> Iterator[tuple[UUID, set[str]]]:
    """Give the cases of the last seven days with the policies that each kept, the newest first."""
    rows = Case.objects.filter(opened_at__gt=at - LATELY).order_by("-opened_at")
    for key, kept in rows.values_list("pk", "policy")[:MOST_CASES]:
        yield key, {name for name in (kept.get("name"), *(kept.get("shadows") or ())) if name}


def versions(*, name: str) -> tuple[Version, ...]:
    """Give every change of a policy, the newest first."""
    entries = history(subject=f"policy:{name}")
    return tuple(
        Version(
            verb=entry.verb,
            version=_number(entry.detail.get("version")),
            by_name=entry.actor_name,
            at=entry.at,
            mode=str(entry.detail.get("mode") or ""),
            match=_object(entry.detail.get("match")),
            effect=_object(entry.detail.get("effect")),
        )
        for entry in reversed(entries)
    )


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
