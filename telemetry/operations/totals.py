"""Totals about breakers that only grow: changes, and calls refused. Windows are emptied, and a scraper's gap must lose none."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import F

from telemetry.models import Breaker, BreakerEvent, BreakerTransition

COUNTED = "counted"  # beside the window: how much of it is in the total


def since_last(
    known: Mapping[str, Any], said: Mapping[str, Any], *, ended: bool, began: bool
) -> tuple[int, int]:
    """Give how many calls were refused since the last word about a breaker, and how much of its window is counted now.

    `ended`: the window is that of the state which is over, so the next one begins empty. `began`: it is of a new state.
    """
    window = said.get("window")
    before = int(known.get(COUNTED) or 0)
    if not isinstance(window, Mapping):
        return 0, 0 if ended or began else before
    now = max(0, int(window.get("not_permitted") or 0))
    fresh = now if began or now < before else now - before
    return fresh, 0 if ended else now


def add_refused(refused: Counter[int]) -> None:
    """Add to the totals, in one order, so that two requests do not wait for each other in a circle."""
    for breaker, n in sorted(refused.items()):
        if n:
            Breaker.objects.filter(pk=breaker).update(not_permitted=F("not_permitted") + n)


def add_changes(rows: Sequence[BreakerEvent]) -> None:
    """Count the changes, in one order, so that two requests do not wait for each other in a circle."""
    ways = Counter((row.breaker_id, row.from_state, row.to_state, row.reason) for row in rows)
    names = ("breaker_id", "from_state", "to_state", "reason")
    known = [BreakerTransition(**dict(zip(names, way, strict=True))) for way in sorted(ways)]
    BreakerTransition.objects.bulk_create(known, ignore_conflicts=True)
    for way in sorted(ways):
        mine = BreakerTransition.objects.filter(**dict(zip(names, way, strict=True)))
        mine.update(n=F("n") + ways[way])
