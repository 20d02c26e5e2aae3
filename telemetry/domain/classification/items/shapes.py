"""Batches in the shapes of single systems: GraphQL, DynamoDB, BigQuery, multipart, lists of refused receivers."""

import re
from collections.abc import Mapping
from typing import Any

from telemetry.domain.classification.claims.vocabulary import USER_ERRORS
from telemetry.domain.classification.items.tallies import MAX_ITEMS, Tally, asked_for, size
from telemetry.domain.classification.items.verdicts import of_keyed, of_list
from telemetry.domain.classification.items.vocabulary import ITEM_BAD, ITEM_GOOD, RECEIVERS, names_refused
from telemetry.domain.classification.plain import integer, json_lines, key, mapping, some
from telemetry.domain.classification.sight import Sight

_PART = re.compile(r"^HTTP/\d(?:\.\d)? (\d{3})", re.MULTILINE)
_PARTLY = re.compile(r"\bpartial (?:write|success|failure)\b", re.IGNORECASE)
_OUT_OF = re.compile(
    r"\b(?:ignored|rejected|failed|dropped|skipped|refused)[: ]{1,2}(\d{1,9}) (?:out )?of (\d{1,9})\b",
    re.IGNORECASE,
)
_DONE = "sent|created|imported|updated|delivered|processed|uploaded|saved|deleted|moved|copied|added|synced"
_DONE_OF = re.compile(
    rf"\b(\d{{1,9}}) (?:out )?of (?:the )?(\d{{1,9}}) (?:[\w-]{{1,30}} ){{0,3}}(?:{_DONE}|succeeded|went through)\b",
    re.IGNORECASE,
)
_OF_DONE = re.compile(rf"\b(?:{_DONE}) (\d{{1,9}}) (?:out )?of (?:the )?(\d{{1,9}})\b", re.IGNORECASE)
_DONE_AND_NOT = re.compile(
    rf"\b(?:{_DONE}):? (\d{{1,9}})\b[^.\n]{{0,40}}\b(?:skipped|failed|rejected|refused|errors?):? (\d{{1,9}})\b",
    re.IGNORECASE,
)
_DROPPED = re.compile(r"\bdropped[=: ]{1,2}(\d{1,9})")


def by_multipart(text: str) -> Tally | None:
    """`multipart/mixed` answers to batch requests."""
    if "HTTP/1" not in text[:4_000]:
        return None
    if text[:100_000].count("HTTP/1") < 2 and not text.lstrip().startswith("--"):
        return None
    found = Tally(rule="items/multipart")
    for part in re.split(r"(?m)^--", text[:100_000])[:MAX_ITEMS]:
        if match := _PART.search(part):
            status = int(match.group(1))
            found.count(failed=status >= 400, said={"status": status, "message": part[:400]})
    return found if found.failed else None


def by_lines(text: str, sight: Sight) -> Tally | None:
    """One JSON object a line, as results of batches are downloaded."""
    lines = json_lines(text) if text.lstrip().startswith("{") else None
    return of_list(lines, sight) if lines and len(lines) > 1 else None


def by_members_asked_for(body: Mapping[str, Any], sight: Sight) -> Tally | None:
    """Results under the very names that were asked for: `{"AAPL": {…}, "ZZZZ": {"status": "error", …}}`."""
    if not 1 < len(body) <= MAX_ITEMS or not all(isinstance(value, dict) for value in body.values()):
        return None
    given = [value if isinstance(value, list) else [value] for value in some(sight.args.values(), 40)]
    asked = "\n".join(text for values in given for text in some(values, MAX_ITEMS) if isinstance(text, str))
    return of_keyed(body, sight) if all(str(name) in asked for name in body) else None


def by_words(body: Mapping[str, Any], _: Sight) -> Tally | None:
    """`partial write: … dropped=1`, as InfluxDB says it."""
    for name, value in some(body.items(), 20):
        if not isinstance(value, str) or key(name) not in {"message", "error", "msg", "detail"}:
            continue
        if _PARTLY.search(value[:600]):
            dropped = _DROPPED.search(value[:2_000])
            failed = int(dropped.group(1)) if dropped else None
            return Tally(ok=None, failed=failed, said=[value[:400]], rule="items/partial-write")
    return None


def by_partial_success(body: Mapping[str, Any], sight: Sight) -> Tally | None:
    """OpenTelemetry's `partialSuccess` counts what was rejected; a zero there is a mere warning."""
    for name, value in some(body.items(), 20):
        if key(name) != "partialsuccess" or not isinstance(value, dict):
            continue
        counts = [
            integer(count) for role, count in some(value.items(), 10) if key(role).startswith("rejected")
        ]
        failed = next((count for count in counts if count), None)
        asked = asked_for(sight) or 0
        if failed is not None:
            ok = asked - failed if asked >= failed else None
            return Tally(ok=ok, failed=failed, said=[value], rule="items/partial-success")
    return None


def by_graphql(body: Mapping[str, Any], _: Sight) -> Tally | None:
    """`data` and `errors` side by side: each root field is an item."""
    errors, data = body.get("errors"), body.get("data")
    if not isinstance(errors, list) or not errors or not isinstance(data, dict | list) or not data:
        return None
    said = some(errors, 20)
    if isinstance(data, list):
        return Tally(ok=len(data), failed=len(errors), said=said, rule="items/data-and-errors")
    roots = {root for one in some(errors) if (root := _root(one)) is not None}
    held = [name for name, value in data.items() if _holds(value)]
    missing = [name for name, value in data.items() if value is None]
    if not held:
        return Tally(ok=0, failed=max(len(missing), 1), said=said, rule="items/graphql")
    ok = len([name for name in held if name not in roots]) or 1
    return Tally(ok=ok, failed=len(missing) or len(roots) or len(errors), said=said, rule="items/graphql")


def by_user_errors(body: Mapping[str, Any], sight: Sight) -> Tally | None:
    """GraphQL mutations of several objects: those that worked, and `userErrors` about the others."""
    members = [(key(name), value) for name, value in some(body.items(), 20)]
    said = next(
        (value for role, value in members if role in USER_ERRORS and isinstance(value, list) and value), None
    )
    worked = next(
        (value for role, value in members if role not in USER_ERRORS and isinstance(value, list) and value),
        None,
    )
    if sight.reads or said is None or worked is None:
        return None
    return Tally(ok=len(worked), failed=len(said), said=some(said, 20), rule="items/user-errors")


def _root(error: object) -> str | None:
    """The root field that an error's path begins with."""
    path = error.get("path") if isinstance(error, dict) else None
    return path[0] if isinstance(path, list) and path and isinstance(path[0], str) else None


def _holds(value: object) -> bool:
    """True where a part of an answer holds anything but nulls and empty lists."""
    if isinstance(value, dict):
        return any(_holds(inner) for inner in some(value.values(), 40))
    if isinstance(value, list):
        return any(_holds(inner) for inner in some(value, 20))
    return value is not None


def by_mutations(body: Mapping[str, Any], sight: Sight) -> Tally | None:
    """GraphQL mutations side by side, each with its own `userErrors`."""
    data = mapping(body.get("data"))
    if sight.reads or data is None or len(data) < 2:
        return None
    found = Tally(rule="items/mutations")
    for payload in some(data.values(), 50):
        said = [
            value
            for name, value in (some(payload.items(), 20) if isinstance(payload, dict) else ())
            if key(name) in USER_ERRORS and isinstance(value, list)
        ]
        if not said:
            return None
        found.count(failed=bool(said[0]), said=said[0])
    return found if found.failed else None


def by_outcomes(body: Mapping[str, Any], sight: Sight) -> Tally | None:
    """`"cancelResult": "SUCCESS"` beside `"newOrderResult": "FAILURE"`: the steps of one write."""
    if sight.reads:
        return None
    ended = [
        key(value)
        for name, value in some(body.items(), 40)
        if isinstance(value, str) and key(name).endswith("result")
    ]
    bad = sum(1 for word in ended if word in ITEM_BAD)
    ok = sum(1 for word in ended if word in ITEM_GOOD)
    said = [value for value in some(body.values(), 40) if isinstance(value, dict)]
    return Tally(ok=ok, failed=bad, said=said, rule="items/outcomes") if bad and ok else None


def by_statuses(body: Mapping[str, Any], _: Sight) -> Tally | None:
    """A google.rpc.Status for each write, the empty one for what worked: Firestore's `batchWrite`."""
    for name, value in some(body.items(), 20):
        if key(name) not in {"status", "statuses"} or not isinstance(value, list) or not value:
            continue
        first = some(value, MAX_ITEMS)
        if not all(isinstance(one, dict) and set(one) <= {"code", "message", "details"} for one in first):
            return None
        found = Tally(rule="items/statuses")
        for one in first:
            found.count(failed=bool(integer(one.get("code"))), said=one)
        return found if found.failed else None
    return None


def by_counted_text(sight: Sight) -> Tally | None:
    """`total ignored: 1 out of 5`, `2 of 3 mails were sent`, `imported 40 rows, skipped 2`."""
    text = sight.text[:600]
    if sight.reads or not text or sight.html:
        return None
    ok = failed = 0
    if match := _OUT_OF.search(sight.text[:4_000]):
        failed, total = int(match.group(1)), int(match.group(2))
        ok = total - failed
    elif match := _DONE_OF.search(text) or _OF_DONE.search(text):
        ok = int(match.group(1))
        failed = int(match.group(2)) - ok
    elif match := _DONE_AND_NOT.search(text):
        ok, failed = int(match.group(1)), int(match.group(2))
    if ok <= 0 or failed <= 0:
        return None
    return Tally(ok=ok, failed=failed, said=[sight.text[:400]], rule="items/counted-text")


def by_named_members(sight: Sight) -> Tally | None:
    """A text with a part for each member of a list that was asked for: `/b: Error - no such file`."""
    lists = [
        value for value in some(sight.args.values(), 20) if isinstance(value, list | tuple) and len(value) > 1
    ]
    if not lists or not sight.text or sight.html:
        return None
    found = Tally(rule="items/named-members")
    for member in some(lists[0], 100):
        part = re.search(rf"(?m)^{re.escape(str(member)[:200])}: ?(.{{0,300}})", sight.text[:200_000])
        if part is None:
            return None
        found.count(failed=_FAILED_PART.match(part.group(1)) is not None, said=part.group(1))
    return found if found.failed else None


_FAILED_PART = re.compile(r"(?:❌ ?)?(?:error|failed|failure)\b ?[-:(]", re.IGNORECASE)


def by_unprocessed(body: Mapping[str, Any], sight: Sight) -> Tally | None:
    """DynamoDB's batches hand back what they did not do."""
    for name in ("UnprocessedItems", "UnprocessedKeys"):
        left = mapping(body.get(name))
        if not left:
            continue
        failed = sum(_left(table) for table in left.values())
        got, asked = body.get("Responses"), asked_for(sight)
        ok = max(asked - failed, 0) if asked else None
        if isinstance(got, dict):
            ok = sum(len(rows) for rows in got.values() if isinstance(rows, list))
        return Tally(ok=ok, failed=failed, said=[{"code": "ThrottlingException"}], rule=f"items/{name}")
    return None


def _left(table: object) -> int:
    if isinstance(table, dict):
        table = table.get("Keys")
    return len(table) if isinstance(table, list) else 1


def by_insert_errors(body: Mapping[str, Any], sight: Sight) -> Tally | None:
    """BigQuery's streaming inserts name the failed rows; without skipInvalidRows one bad row stops all."""
    errors = body.get("insertErrors")
    if not isinstance(errors, list) or not errors:
        return None
    asked = asked_for(sight) or 0
    rows = {integer(one.get("index")) for one in some(errors) if isinstance(one, dict)}
    said = [one for one in some(errors) if not _is_stopped(one)]
    stopped = len(said) < len(some(errors))
    ok = 0 if stopped or asked <= len(rows) else asked - len(rows)
    return Tally(ok=ok, failed=len(rows) or len(errors), said=said or some(errors), rule="items/insertErrors")


def _is_stopped(error: object) -> bool:
    reasons = error.get("errors") if isinstance(error, dict) else None
    first = reasons[0] if isinstance(reasons, list) and reasons else None
    return isinstance(first, dict) and first.get("reason") == "stopped"


def by_receivers(body: Mapping[str, Any], sight: Sight) -> Tally | None:
    """Lists of refused receivers in one text: WeCom's `invaliduser`, OneSignal's `invalid_player_ids`."""
    nested = mapping(body.get("errors")) or {}
    members = [*some(body.items(), 40), *some(nested.items(), 20)]
    failed = sum(size(value) or 0 for name, value in members if names_refused(key(name)))
    if not failed:
        return None
    counted = [integer(value) for name, value in members if key(name) in {"recipients", "sent", "accepted"}]
    ok = next((count for count in counted if count is not None), None)
    if ok is None:
        sizes = [size(value) for name, value in some(sight.args.items(), 40) if key(name) in RECEIVERS]
        receivers = next((one for one in sizes if one), None)
        ok = max(receivers - failed, 0) if receivers else None
    return Tally(ok=ok, failed=failed, said=[{"message": "recipient not found"}], rule="items/receivers")
