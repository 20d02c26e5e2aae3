"""Batches: a result per item, retried item by item, counted together."""

from collections import Counter
from dataclasses import replace
from typing import Any

from pydantic_core import to_jsonable_python

from switchboard.failure import ToolError
from switchboard.logical import LogicalCall
from switchboard.result import Item, Items
from switchboard.vocabulary import Executed, FailureClass, ItemStatus


def judge_items(call: LogicalCall, items: Items) -> tuple[Any, ToolError | None]:
    """The batch as a whole, after what earlier attempts already brought. The order is that of the first attempt."""
    for item in items:
        data = to_jsonable_python(item.data, fallback=str, inf_nan_mode="strings")
        settled = replace(item, status=ItemStatus(item.status), data=data, error=item.failure)
        call.kept_items[item.key] = settled
    call.items = tuple(call.kept_items.values())
    counts = Counter(ItemStatus(item.status) for item in call.items)
    data = {status.value: counts[status] for status in ItemStatus}
    good, bad = counts[ItemStatus.SUCCEEDED], counts[ItemStatus.FAILED]
    if not bad:
        return data, None if good or call.items else _none_at_all()
    if not good and not counts[ItemStatus.SKIPPED]:
        return data, _common(call.items)
    return data, ToolError(
        class_=FailureClass.PARTIAL,
        code="PARTIAL_FAILURE",
        message=f"{good} succeeded, {bad} failed, {counts[ItemStatus.SKIPPED]} skipped.",
        hint="Go on with those that succeeded; decide about the others one by one. Do not send the whole batch again.",
        executed=Executed.PARTLY,
        retryable=False,
    )


def to_send_again(call: LogicalCall) -> tuple[str, ...]:
    """The items that failed in passing. What succeeded is never sent again."""
    return tuple(
        item.key
        for item in call.items
        if item.status is ItemStatus.FAILED
        and item.failure is not None
        and item.failure.class_ is FailureClass.TRANSIENT
    )


def _common(items: tuple[Item, ...]) -> ToolError:
    """Every item failed: that is no partial success, it has the class of its items."""
    errors = [item.failure for item in items if item.failure is not None]
    if not errors:
        return ToolError(class_=FailureClass.HARD, code="ALL_FAILED", message=f"All {len(items)} failed.")
    (class_, _), *_ = Counter(error.class_ for error in errors).most_common()
    first = next(error for error in errors if error.class_ is class_)
    return replace(first, message=f"All {len(items)} failed: {first.message}")


def _none_at_all() -> ToolError:
    return ToolError(
        class_=FailureClass.EMPTY,
        code="NO_RESULTS",
        message="There was nothing to do: the batch had no items.",
        executed=Executed.NO,
    )
