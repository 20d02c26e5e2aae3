"""Calls of the last minute, and what a hostile agent would send."""

from datetime import timedelta

from django.utils.timezone import now

from tests.telemetry import calls

HOSTILE = "<script>alert(1)</script>"
REFUSED = {
    "class": "hard",
    "code": "UNAUTHORIZED",
    "message": f"token expired {HOSTILE}",
    "hint": "Renew it.",
}


def recent(call_id, **changes):
    """A call that began twenty seconds ago."""
    return calls.call(call_id, **{"started_at": now() - timedelta(seconds=20), **changes})


def refused(call_id, **changes):
    """A call that was refused."""
    return recent(call_id, **{"outcome": "failed", "failure": REFUSED, "tool": "points.query", **changes})
