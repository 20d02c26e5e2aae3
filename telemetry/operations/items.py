"""Batches read item by item: one that breaks the contract is refused with a reason, its neighbours are taken."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import orjson
from pydantic import ValidationError

from console.kit.clean import clean_text
from console.kit.refusal import FieldError
from console.kit.wire import Inbound, Malformed, field_errors
from telemetry.domain.hostile import NotJson, cleaned, read

T = TypeVar("T", bound=Inbound)


@dataclass(frozen=True, slots=True)
class Rejected:
    """An item that does not match the contract; `id` is what it calls itself, where it does."""

    index: int
    id: str | None
    code: str
    detail: str
    errors: tuple[FieldError, ...]


MALFORMED = "MALFORMED"


@dataclass(slots=True)
class Items(Generic[T]):
    """Items that match the contract, each with its raw JSON and flags, and the ones that do not."""

    good: list[tuple[T, dict[str, Any], set[str]]] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)


def read_items(
    body: bytes,
    *,
    batch: type[Inbound],
    item: type[T],
    name: str,
    id_name: str,
    most: int,
    parsed: bool = False,
    known: Any = None,
) -> Items[T]:
    """Read `{name: [item, …]}`. Raises Malformed where it is no list of 1 to `most` items at all.

    With `parsed` the contract is one that takes from parsed JSON what it takes from bytes; it saves a quarter of the work.
    `known` is what strict JSON was just written from here: where nothing in it is risky it is not read again.
    """
    value, risky = _json(body, known)
    raw = _listed(value, name, most)
    if not risky:
        try:
            whole = batch.model_validate(value) if parsed else batch.model_validate_json(body)
            said: Sequence[T] = getattr(whole, name)
        except ValidationError:
            pass  # the ones that are wrong are found one by one below
        else:
            return Items([(one, its, set()) for one, its in zip(said, raw, strict=True)])
    return _one_by_one(raw, item, id_name)


def read_one(body: bytes, model: type[T]) -> T:
    """Read a body that is one value, cleaned of what databases choke on. Raises Malformed."""
    value, risky = _json(body)
    return model.read(orjson.dumps(cleaned(value)[0]) if risky else body)


def _json(body: bytes, known: Any = None) -> tuple[Any, bool]:
    try:
        return read(body, known)
    except NotJson as exc:
        wrong = FieldError("JSON_INVALID", None, "one JSON object", str(exc), "Send valid JSON in UTF-8.")
        raise Malformed("The request body is no JSON.", errors=(wrong,)) from exc


def _listed(value: Any, name: str, most: int) -> list[Any]:
    """Give the items of the envelope; its own faults refuse the whole request."""
    items = value.get(name) if isinstance(value, dict) else None
    if (
        isinstance(value, dict)
        and set(value) == {name}
        and isinstance(items, list)
        and 0 < len(items) <= most
    ):
        return items
    constraint = f'one object {{"{name}": […]}} with 1 to {most} items and no other field'
    got = f"{len(items)} items" if isinstance(items, list) else type(value).__name__
    wrong = FieldError("ENVELOPE", name, constraint, got, "Split what is too long into several requests.")
    raise Malformed("The request body does not match the contract.", errors=(wrong,))


def _one_by_one(items: Sequence[Any], item: type[T], id_name: str) -> Items[T]:
    found: Items[T] = Items()
    for index, one in enumerate(items):
        raw, flags = cleaned(one)
        try:
            said = item.model_validate_json(orjson.dumps(raw))
        except ValidationError as exc:
            found.rejected.append(_rejected(index, raw, id_name, exc))
        else:
            found.good.append((said, raw, flags))
    return found


def _rejected(index: int, raw: Any, id_name: str, exc: ValidationError) -> Rejected:
    errors = field_errors(exc)[:20]
    named = raw.get(id_name) if isinstance(raw, dict) else None
    fields = ", ".join(sorted({error.field or "the item" for error in errors}))
    return Rejected(
        index=index,
        id=clean_text(named, limit=128) if isinstance(named, str) else None,
        code=MALFORMED,
        detail=f"This item does not match the contract: {fields[:300]}.",
        errors=errors,
    )
