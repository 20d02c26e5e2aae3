"""The service's per-item answers as the kit's items."""

from typing import Any

import switchboard as sb

IN_PASSING = frozenset({408, 429, 503})


def items(answer: dict[str, Any]) -> sb.Items:
    """One item for each of the service's, in its order; what may pass when sent again is told by its status."""
    return sb.Items([_item(said) for said in answer["items"]])


def _item(said: dict[str, Any]) -> sb.Item:
    if said["status"] == "succeeded":
        data = {name: value for name, value in said.items() if name not in {"key", "status"}}
        return sb.Item(key=said["key"], status="succeeded", data=data)
    failure = said["failure"]
    error = sb.ToolFailure(
        "transient" if said.get("http_status") in IN_PASSING else "hard",
        failure["code"],
        field=failure["field"],
        constraint=failure["constraint"],
        received=failure["received"],
        hint=failure["hint"] or None,
    )
    return sb.Item(key=said["key"], status="failed", error=error)
