"""Results per item: how many worked, how many failed, and what the failed ones say."""

from collections.abc import Mapping
from typing import Any

from telemetry.domain.classification.items.shapes import (
    by_counted_text,
    by_graphql,
    by_insert_errors,
    by_lines,
    by_members_asked_for,
    by_multipart,
    by_mutations,
    by_named_members,
    by_outcomes,
    by_partial_success,
    by_receivers,
    by_statuses,
    by_unprocessed,
    by_user_errors,
    by_words,
)
from telemetry.domain.classification.items.sides import by_counts, by_lists, by_twins
from telemetry.domain.classification.items.tallies import MAX_ITEMS, Tally
from telemetry.domain.classification.items.verdicts import of_keyed, of_list
from telemetry.domain.classification.items.vocabulary import (
    ITEM_LISTS,
    WARNING,
    counted,
    names_refused,
    twin_of,
)
from telemetry.domain.classification.plain import key, names, some
from telemetry.domain.classification.sight import Sight

__all__ = ["Tally", "tally"]

STATEMENTS = names("sql cql soql hql")
"""Rows of a table are data, whatever words stand in their columns."""
RESULTS = frozenset({"results", "items", "responses", "itemresults"})
"""Of a stored object that a read shows only these lists may be the results of a batch; the others are its own."""
READERS = (
    by_words,
    by_graphql,
    by_partial_success,
    by_unprocessed,
    by_insert_errors,
    by_user_errors,
    by_twins,
    by_lists,
    by_counts,
    by_receivers,
)


def tally(sight: Sight) -> Tally | None:
    """The results per item that the evidence holds, or None where it is no batch or all of it worked."""
    if reported := _reported(sight):
        return reported
    body = sight.body
    if sight.reads and sight.status is None and not STATEMENTS.isdisjoint(map(key, some(sight.args, 20))):
        return None
    if isinstance(body, list):
        return of_list(body, sight)
    if isinstance(body, dict):
        return by_members_asked_for(body, sight) or _of_object(body, sight)
    text = sight.text
    return by_multipart(text) or by_lines(text, sight) or by_named_members(sight) or by_counted_text(sight)


def _reported(sight: Sight) -> Tally | None:
    """Items as the agent itself reports them."""
    items = sight.evidence.items
    if not items or not isinstance(items, list | tuple):
        return None
    found = Tally(rule="items/reported")
    for item in some(items, MAX_ITEMS):
        if isinstance(item, dict) and item.get("status") in ("succeeded", "failed"):
            found.count(failed=item["status"] == "failed", said=item.get("failure"))
    return found if found.failed else None


def _of_object(body: Mapping[str, Any], sight: Sight, depth: int = 0) -> Tally | None:
    members = [(key(name), value) for name, value in some(body.items(), 60)]
    roles = {role for role, _ in members}
    stored = sight.reads and depth > 0 and "id" in roles
    if found := _of_whole(body, sight, roles):
        return found
    for role, value in members:
        if stored and role not in RESULTS:
            continue
        if (
            isinstance(value, list)
            and value
            and _holds_items(role, sight)
            and (found := of_list(value, sight))
        ):
            return found
        if (
            isinstance(value, dict)
            and role in ITEM_LISTS
            and len(value) > 1
            and (found := of_keyed(value, sight))
        ):
            return found
        if isinstance(value, list) and role in ITEM_LISTS and (found := of_list(_nested(value), sight)):
            return found
    if depth >= 2 or len(body) > 6:
        return None
    inner = [
        value for role, value in members if isinstance(value, dict) and role not in {"error", "extensions"}
    ]
    return next((found for value in inner if (found := _of_object(value, sight, depth + 1))), None)


def _of_whole(body: Mapping[str, Any], sight: Sight, roles: set[str]) -> Tally | None:
    """What an object says as a whole, read only where one of its names warns of failures."""
    if not roles.isdisjoint(WARNING) or any(
        names_refused(role) or twin_of(role, roles) or counted(role) is False for role in roles
    ):
        for read in READERS:
            if found := read(body, sight):
                return found
    return by_mutations(body, sight) or by_statuses(body, sight) or by_outcomes(body, sight)


def _nested(rows: list[Any]) -> list[Any]:
    """The cells of a table whose rows hold nothing but them, as a distance matrix has them."""
    cells: list[Any] = []
    for row in some(rows, 50):
        inner = next(iter(row.values())) if isinstance(row, dict) and len(row) == 1 else None
        cells += some(inner, 50) if isinstance(inner, list) else []
    return cells


def _holds_items(role: str, sight: Sight) -> bool:
    """True for keys under which a batch answers; for writes any list may."""
    answers = role in ITEM_LISTS or role.endswith(("results", "responses", "statuses", "items", "entries"))
    return answers or not (sight.reads or role.endswith("reasons"))
