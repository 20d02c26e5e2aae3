"""From the bytes of a report to calls ready to store: every item is judged for itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson
from pydantic import ValidationError

from console.kit.clean import clean_text
from console.kit.refusal import FieldError
from console.kit.wire import Malformed, field_errors
from telemetry.contract import MAX_CALLS, Call, RejectedCall, ReportCalls
from telemetry.domain.hostile import NotJson, cleaned, read
from telemetry.operations.prepare import Prepared, prepare

MALFORMED = "MALFORMED"


@dataclass(frozen=True, slots=True)
class Submission:
    """One request's calls: those ready to store with their place in the request, and those refused."""

    agent_id: int
    key_id: int
    rows: tuple[Prepared, ...]
    rejected: tuple[RejectedCall, ...]
    size: int  # bytes, for the bound of the queue
    at: datetime

    @property
    def received(self) -> int:
        """Count the items of the request."""
        return len(self.rows) + len(self.rejected)


@dataclass(slots=True)
class _Read:
    """Items that match the contract, with their raw JSON and flags, and the ones that do not."""

    good: list[tuple[Call, dict[str, Any], set[str]]]
    rejected: list[RejectedCall]


def submission(
    body: bytes, *, agent_id: int, key_id: int, at: datetime, overrides: Mapping[str, bool]
) -> Submission:
    """Read a request body. Raises Malformed where it is no list of 1 to 1,000 items at all.

    `overrides` says of some tools whether "not found" is an empty answer. No database is asked: this runs on the loop.
    """
    found = _read(body)
    rows = tuple(
        prepare(said, raw, agent_id=agent_id, at=at, flags=flags, not_found_is_empty=overrides.get(said.tool))
        for said, raw, flags in found.good
    )
    return Submission(agent_id, key_id, rows, tuple(found.rejected), len(body), at)


def _read(body: bytes) -> _Read:
    try:
        value, risky = read(body)
    except NotJson as exc:
        wrong = FieldError("JSON_INVALID", None, "one JSON object", str(exc), "Send valid JSON in UTF-8.")
        raise Malformed("The request body is no JSON.", errors=(wrong,)) from exc
    items = _items(value)
    if not risky:
        try:
            calls = ReportCalls.model_validate_json(body).calls
        except ValidationError:
            pass  # the ones that are wrong are found one by one below
        else:
            return _Read([(said, raw, set()) for said, raw in zip(calls, items, strict=True)], [])
    return _one_by_one(items)


def _items(value: Any) -> list[Any]:
    """Give the items of the envelope; its own faults refuse the whole request."""
    items = value.get("calls") if isinstance(value, dict) else None
    if (
        isinstance(value, dict)
        and set(value) == {"calls"}
        and isinstance(items, list)
        and 0 < len(items) <= MAX_CALLS
    ):
        return items
    constraint = f'one object {{"calls": […]}} with 1 to {MAX_CALLS} items and no other field'
    got = f"{len(items)} items" if isinstance(items, list) else type(value).__name__
    wrong = FieldError("ENVELOPE", "calls", constraint, got, "Split what is too long into several requests.")
    raise Malformed("The request body does not match the contract.", errors=(wrong,))


def _one_by_one(items: Sequence[Any]) -> _Read:
    found = _Read([], [])
    for index, item in enumerate(items):
        raw, flags = cleaned(item)
        try:
            said = Call.model_validate_json(orjson.dumps(raw))
        except ValidationError as exc:
            found.rejected.append(_rejected(index, raw, exc))
        else:
            found.good.append((said, raw, flags))
    return found


def _rejected(index: int, raw: Any, exc: ValidationError) -> RejectedCall:
    errors = field_errors(exc)[:20]
    named = raw.get("call_id") if isinstance(raw, dict) else None
    fields = ", ".join(sorted({error.field or "the item" for error in errors}))
    return RejectedCall(
        index=index,
        call_id=clean_text(named, limit=128) if isinstance(named, str) else None,
        code=MALFORMED,
        detail=f"This item does not match the contract: {fields[:300]}.",
        errors=list(errors),
    )
