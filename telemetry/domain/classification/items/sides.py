"""Batches that put what worked and what failed side by side, as lists or as counts."""

from collections.abc import Mapping
from typing import Any

from telemetry.domain.classification.items.tallies import Tally, asked_for
from telemetry.domain.classification.items.verdicts import failed as item_failed
from telemetry.domain.classification.items.vocabulary import (
    BAD_COUNTS,
    BAD_LISTS,
    BATCH_WORDS,
    COUNTERS,
    ITEM_LISTS,
    OK_COUNTS,
    OK_LISTS,
    TOTALS,
    WORKED,
    counted,
)
from telemetry.domain.classification.plain import integer, key, mapping, some
from telemetry.domain.classification.sight import Sight

Members = list[tuple[str, Any]]


def _members(body: Mapping[str, Any]) -> Members:
    return [(key(name), value) for name, value in some(body.items(), 60)]


def by_lists(body: Mapping[str, Any], sight: Sight) -> Tally | None:
    """Two lists side by side: `Successful` and `Failed`, `issues` and `errors`."""
    members = _members(body)
    xml = sight.text.lstrip().startswith("<")
    good = [
        value
        for role, value in members
        if role in OK_LISTS
        and (isinstance(value, list) or (isinstance(value, dict) and value and (xml or role in KEYED)))
    ]
    bad = next(
        (
            (role, value)
            for role, value in members
            if role in BAD_LISTS and isinstance(value, list | dict) and value
        ),
        None,
    )
    worked = _first([integer(value) for role, value in members if role in OK_COUNTS or role.endswith(WORKED)])
    if bad is None:
        return None
    if not (good or worked) and not sight.reads and (rest := _the_rest(members, bad, sight)):
        return Tally(ok=rest, failed=len(bad[1]), said=some(bad[1], 20), rule="items/lists")
    if not (good or worked) and not sight.reads and _says_done(members, bad[1]):
        asked = asked_for(sight) or 0
        rest = asked - len(bad[1]) if asked > len(bad[1]) else None
        return Tally(ok=rest, failed=len(bad[1]), said=some(bad[1], 20), rule="items/indexed-errors")
    if not (good or worked or (bad[0] in REFUSED_LISTS and not sight.reads)):
        return None
    role, failures = bad
    if role in {"errors", "error", "missing", "notfound"} and body.get("success") is False:
        return None
    if role in {"missing", "unresolved"} and sight.reads and BATCH_WORDS.isdisjoint(sight.words):
        return None
    ok = sum(_length(value, sight) for value in good) or worked or 0
    failed = _failed_count(members) or _context_count(failures) or _length(failures, sight)
    said = some(failures, 20) if isinstance(failures, list) else [failures]
    return Tally(ok=ok, failed=failed, said=said, rule="items/lists")


def _the_rest(members: Members, bad: tuple[str, Any], sight: Sight) -> int | None:
    """How many stand in the other list, where it and the failed ones are together what was asked for."""
    others = [value for role, value in members if isinstance(value, list) and value and role != bad[0]]
    if len(others) != 1 or not isinstance(bad[1], list):
        return None
    return len(others[0]) if len(others[0]) + len(bad[1]) == asked_for(sight) else None


def _says_done(members: Members, failures: Any) -> bool:
    """`"message": "success"` beside errors that number the items they are about: the others went through."""
    fine = any(role in {"message", "status"} and key(value) == "success" for role, value in members)
    numbered = isinstance(failures, list) and all(
        isinstance(one, dict) and integer(one.get("index")) is not None for one in some(failures, 20)
    )
    return fine and numbered


def _length(value: list[Any] | dict[str, Any], sight: Sight) -> int:
    """How many items stand here; in XML a lone one is no list."""
    return 1 if isinstance(value, dict) and sight.text.lstrip().startswith("<") else len(value)


def _context_count(failures: object) -> int | None:
    """HubSpot puts several missing ids under one error."""
    if isinstance(failures, list) and len(failures) == 1 and isinstance(failures[0], dict):
        ids = (mapping(failures[0].get("context")) or {}).get("ids")
        return len(ids) if isinstance(ids, list) and ids else None
    return None


def _failed_count(members: Members) -> int | None:
    counts = (value for role, value in members if role in BAD_COUNTS or counted(role) is False)
    return next((count for value in counts if (count := integer(value))), None)


def _first(counts: list[int | None]) -> int | None:
    return next((count for count in counts if count is not None), None)


def by_counts(body: Mapping[str, Any], sight: Sight) -> Tally | None:
    """Counters: `successCount` and `failureCount`, `FailedRecordCount` beside `Records`."""
    members = _members(body)
    failed = _failed_count(members)
    if not failed or failed < 0 or (sight.reads and not CHECKED.isdisjoint(role for role, _ in members)):
        return None
    ok = _first([integer(value) for role, value in members if role in OK_COUNTS or counted(role) is True])
    sure = any(role in COUNTERS for role, _ in members)
    if not sure and (ok is None or sight.reads):
        return None
    listed = next(
        (value for role, value in members if role in LISTED and isinstance(value, list) and value), []
    )
    if ok is None and len(listed) >= failed:
        ok = len(listed) - failed
    if ok is None:
        total = _first([integer(value) for role, value in members if role in TOTALS]) or asked_for(sight)
        ok = max(total - failed, 0) if total else None
    said = [one for one in some(listed) if item_failed(one) is not False]
    return Tally(ok=ok, failed=failed, said=said, rule="items/counts")


CHECKED = frozenset({"checked", "warningcount", "warnings", "valid", "isvalid", "score", "filepath"})
"""Beside these a read counts the errors that a check found, and no items that failed."""
REFUSED_LISTS = frozenset({"failures", "faileditems", "failedentries", "rejecteditems", "failedrecords"})
"""Lists that, of a write, say without a second list beside them that what they hold was not done."""
KEYED = frozenset({"success", "successful", "succeeded"})
"""What worked, each under its own key."""
LISTED = ITEM_LISTS | OK_LISTS | BAD_LISTS
