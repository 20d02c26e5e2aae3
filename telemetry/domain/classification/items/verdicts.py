"""Whether one item of a list worked, by what its own members say."""

import re
from collections.abc import Mapping
from typing import Any

from telemetry.domain.classification.items.tallies import MAX_ITEMS, Tally
from telemetry.domain.classification.items.vocabulary import BATCH_WORDS, ITEM_BAD, ITEM_GOOD
from telemetry.domain.classification.plain import blank, clip, integer, key, names, some
from telemetry.domain.classification.reading import NO_FAILURE
from telemetry.domain.classification.sight import Sight
from telemetry.domain.classification.words import read_code

_REPLY = re.compile(
    r"(?:ERR|WRONGTYPE|NOAUTH|NOPERM|OOM|READONLY|MOVED|CROSSSLOT|EXECABORT|NOSCRIPT|MISCONF|LOADING|CLUSTERDOWN) [^\n]"
)
"""How Redis begins the reply to a command of a pipeline that failed."""
FLAGS_GOOD = names("success ok succeeded issuccess successful issent")
FLAGS_BAD = names("iserror failed haserror haserrors hasvalidationerrors errored")
ERRORS = names(
    "error errors errorcode errormessage errortext fault errmsg errordetails failurereason reasons"
)
STATES = names(
    "statusattributestring tag status statuscode code httpstatuscode httpstatus httpcode errcode resultcode result outcome state"
)
TELLING = FLAGS_GOOD | FLAGS_BAD | ERRORS | STATES | names("scode groupname statusname")
INNER = ("result", "status", "response", "index", "create", "update", "delete", "body", "outcome", "Result")
INNER_KEYS = frozenset(INNER)
STORED = names(
    """
    state createdat startedat finishedat updatedat created retries attempts sid datecreated dateupdated datesent
    """
)
"""A stored object's last error stands beside its state and its dates."""
LISTING = names("list history search query find describe recent browse")
AT_ONCE = names("bulk multi mget many")
"""The words of a batch that stay so beside `list`; the others then only say what is listed."""


def of_list(items: list[Any], sight: Sight) -> Tally | None:
    """A list whose members say for themselves whether they worked."""
    first = some(items, MAX_ITEMS)
    verdicts = [failed(item) for item in first]
    bad = [item for item, verdict in zip(first, verdicts, strict=True) if verdict]
    if not bad or (sight.reads and not _is_batch(bad, sight)):
        return None
    return Tally(ok=len(verdicts) - len(bad), failed=len(bad), said=bad[:20], rule="items/list")


def of_keyed(items: Mapping[str, Any], sight: Sight) -> Tally | None:
    """Results under the items' own keys: `{"a": {"status": "ok"}, "b": {"error": …}}`."""
    values = [value for value in some(items.values(), MAX_ITEMS) if isinstance(value, dict)]
    return of_list(values, sight) if len(values) == len(items) else None


def _is_batch(bad: list[Any], sight: Sight) -> bool:
    """For reads a failed item needs more than a word: stored objects have states such as failed as well."""
    lists = not LISTING.isdisjoint(sight.words)
    if sight.status == 207 or not (AT_ONCE if lists else BATCH_WORDS).isdisjoint(sight.words):
        return True
    found = [item for item in bad if isinstance(item, dict)]
    return any(_carries_error(item) for item in found if not (lists and _is_listed(item)))


def _is_listed(item: Mapping[str, Any]) -> bool:
    """True for a row of a list that has an identity and a state in words."""
    roles = {key(name) for name in some(item, 40)}
    return "id" in roles and isinstance(item.get("status"), str) and len(roles) >= 3


def _carries_error(item: Mapping[str, Any]) -> bool:
    stored = not STORED.isdisjoint(key(name) for name in some(item, 40))
    return any(
        _is_error_of_call(key(name), value, item, stored=stored) for name, value in some(item.items(), 30)
    )


def _is_error_of_call(role: str, value: Any, item: Mapping[str, Any], *, stored: bool) -> bool:
    if role in {"error", "errors", "errorcode", "fault"}:
        return not blank(value) and value is not False and (isinstance(value, dict | list) or not stored)
    if role in {"ok", "success", "iserror"}:
        return isinstance(value, bool)
    if role == "status" and len(item) <= 4 and (key(value) in {"err", "error"} or _shouted(value)):
        return True
    number = (
        integer(value) if role in {"status", "statuscode", "code", "httpstatuscode", "httpstatus"} else None
    )
    return number is not None and 400 <= number <= 599


def failed(item: object, depth: int = 0) -> bool | None:
    """Whether one item failed (True), worked (False) or does not say (None)."""
    if isinstance(item, str):
        return True if _REPLY.match(item[:40]) else None
    if not isinstance(item, dict) or depth > 2:
        return None
    said = [_member(role, value) for name, value in some(item.items(), 40) if (role := key(name)) in TELLING]
    if True in said:
        return True
    if False in said:
        return False
    if INNER_KEYS.isdisjoint(item):
        return None
    for name in INNER:
        inner = item.get(name)
        if name == "status" and isinstance(inner, dict) and grpc_code(inner):
            return True
        if isinstance(inner, dict) and (verdict := failed(inner, depth + 1)) is not None:
            return verdict
    return None


def grpc_code(status: Mapping[str, Any]) -> int | None:
    """The code of a google.rpc.Status that is no OK."""
    code = integer(status.get("code"))
    return code if code is not None and 0 < code <= 16 else None


def _member(role: str, value: object) -> bool | None:
    """What one member of an item says about it."""
    if role in FLAGS_GOOD and isinstance(value, bool):
        return not value
    if role in FLAGS_BAD and isinstance(value, bool):
        return value
    if role in ERRORS:
        return _error(role, value)
    if role == "scode":
        return clip(value, 20) not in {"0", ""}
    if role in {"groupname", "statusname"}:
        return key(value) in ITEM_BAD
    if role in STATES:
        return _state(role, value)
    return None


def _shouted(value: object) -> bool | None:
    """True for a code in capitals that names a failure: `INVALID_RECIPIENT`."""
    if not isinstance(value, str) or "_" not in value or not value.isupper():
        return None
    finding = read_code(value)
    return True if finding is not None and finding.weight >= 60 and finding.cause not in NO_FAILURE else None


def _error(role: str, value: object) -> bool | None:
    if role == "errors" and isinstance(value, list | dict) and not value:
        return False
    if blank(value) or value is False or value == 0 or key(value) in {"none", "ok", "success", "0"}:
        return None
    return True


def _state(role: str, value: object) -> bool | None:
    number = integer(value)
    if number is None:
        word = key(value)
        if word in ITEM_BAD or word.endswith(("error", "failed", "exception")):
            return True
        return False if word in ITEM_GOOD else _shouted(value)
    if 400 <= number <= 599:
        return True
    if 200 <= number < 300 or (number == 0 and role != "state"):
        return False
    return True if role in {"errcode", "resultcode"} else None
