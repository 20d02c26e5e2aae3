"""Batches that put what worked and what failed side by side, as lists or as counts."""

from collections.abc import Mapping
from typing import Any

from telemetry.domain.classification.items.tallies import Tally, asked_for
from telemetry.domain.classification.items.verdicts import failed as item_failed
from telemetry.domain.classification.items.vocabulary import (
    BAD_COUNTS,
    BAD_LISTS,
    BATCH_WORDS,
    COUNT_ARGS,
    COUNTERS,
    ITEM_LISTS,
    OK_COUNTS,
    OK_LISTS,
    TOTALS,
    WORKED,
    counted,
    twin_of,
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
    bad = _bad_side(members)
    good += [] if good else _stored_ids(members)
    worked = _first([integer(value) for role, value in members if role in OK_COUNTS or role.endswith(WORKED)])
    if bad is None:
        return None
    told = not sight.reads or (bad[0] in REFUSED_LISTS and _tell_why(bad[1]))
    if not (good or worked) and told and (rest := _the_rest(members, bad, sight)):
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
    failed = _failed_count(members) or _context_count(failures) or _length(failures, sight)
    ok = sum(_length(value, sight) for value in good) or worked or _left_over(role, failed, sight)
    said = some(failures, 20) if isinstance(failures, list) else [failures]
    return Tally(ok=ok, failed=failed, said=said, rule="items/lists")


def _tell_why(failures: Any) -> bool:
    """Failures of a look-up each have a reason of its own; those of a test report are its content."""
    first = some(failures, 20) if isinstance(failures, list) else []
    return bool(first) and all(isinstance(one, dict) and not WHY.isdisjoint(map(key, one)) for one in first)


def _stored_ids(members: Members) -> list[list[Any]]:
    """`"status": {"insertedIds": [...]}`: what worked, named in a part of its own."""
    parts = [value for role, value in members if role in {"status", "summary"} and isinstance(value, dict)]
    inner = [(key(name), value) for part in parts for name, value in some(part.items(), 20)]
    return [value for role, value in inner if role in OK_LISTS and isinstance(value, list) and value]


def _bad_side(members: Members) -> tuple[str, Any] | None:
    """What failed: a list of items before the answer's own `error`."""
    held = [
        (role, value)
        for role, value in members
        if role in BAD_LISTS and isinstance(value, list | dict) and value
    ]
    refused = [both for both in held if both[0] in REFUSED_LISTS]
    return next(iter(refused or held), None)


def _left_over(role: str, failed: int, sight: Sight) -> int:
    """How many items of a batch are not among those that were refused."""
    sent = [
        len(value)
        for name, value in some(sight.args.items(), 40)
        if key(name) in COUNT_ARGS and isinstance(value, list)
    ]
    return max(max(sent, default=0) - failed, 0) if role in REFUSED_LISTS else 0


def by_twins(body: Mapping[str, Any], _: Sight) -> Tally | None:
    """`Parameters` beside `InvalidParameters`: one list for what was found, one of the same name for the rest."""
    lists = {role: value for role, value in _members(body) if isinstance(value, list) and value}
    for role, bad in lists.items():
        if (twin := twin_of(role, lists)) is not None:
            return Tally(ok=len(lists[twin]), failed=len(bad), said=some(bad, 20), rule="items/twins")
    return None


def _the_rest(members: Members, bad: tuple[str, Any], sight: Sight) -> int | None:
    """How many stand in the other list, where it and the failed ones are together what was asked for."""
    others = [value for role, value in members if isinstance(value, list) and value and role != bad[0]]
    if len(others) != 1 or not isinstance(bad[1], list):
        return None
    if bad[0] in REFUSED_LISTS and all(isinstance(one, dict) for one in some(others[0], 20)):
        return len(others[0])
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
    checks = not CHECKED.isdisjoint(role for role, _ in members) or not CHECKS.isdisjoint(sight.words)
    if not failed or failed < 0 or (sight.reads and checks):
        return None
    ok = _first([integer(value) for role, value in members if role in OK_COUNTS or counted(role) is True])
    sure = any(role in COUNTERS for role, _ in members)
    if not sure and (ok is None or sight.reads):
        return None
    listed = next(
        (value for role, value in members if _is_listed(role) and isinstance(value, list) and value), []
    )
    if ok is None and len(listed) >= failed:
        ok = len(listed) - failed
    if ok is None:
        total = _first([integer(value) for role, value in members if role in TOTALS]) or asked_for(sight)
        ok = max(total - failed, 0) if total else None
    said = [one for one in some(listed) if item_failed(one) is not False]
    return Tally(ok=ok, failed=failed, said=said, rule="items/counts")


def _is_listed(role: str) -> bool:
    return role in LISTED or role.endswith(("responses", "results"))


CHECKED = frozenset({"checked", "warningcount", "warnings", "valid", "isvalid", "score", "filepath"})
"""Beside these a read counts the errors that a check found, and no items that failed."""
WHY = frozenset({"failurecode", "failurereason", "errorcode", "reason"})
CHECKS = frozenset({"validate", "validation", "check", "lint", "verify", "audit", "scan"})
"""Words of tools that check something."""
REFUSED_LISTS = frozenset(
    {"failures", "faileditems", "failedentries", "rejecteditems", "failedrecords", "rejectedrecords"}
)
"""Lists that, of a write, say without a second list beside them that what they hold was not done."""
KEYED = frozenset({"success", "successful", "succeeded"})
"""What worked, each under its own key."""
LISTED = ITEM_LISTS | OK_LISTS | BAD_LISTS
