"""Calls as agents report them, for the tests of every door."""

import json
from datetime import UTC, datetime, timedelta

NOON = datetime(2026, 11, 30, 12, 0, 30, tzinfo=UTC)


def call(call_id="c-1", **changes):
    """One call that worked; arguments say what is different. `class` of a failure goes as `failure={"class": …}`."""
    started = changes.pop("started_at", NOON - timedelta(seconds=2))
    plain = {
        "call_id": call_id,
        "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
        "tool": "flight.search",
        "side_effect": "read",
        "started_at": started if isinstance(started, str) else started.isoformat(),
        "duration_ms": 120.5,
        "outcome": "succeeded",
    }
    return {name: value for name, value in {**plain, **changes}.items() if value is not None}


def body(*calls):
    """A request body of these calls."""
    return json.dumps({"calls": list(calls)}).encode()
