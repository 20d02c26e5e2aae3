"""Breakers as agents tell of them."""

import uuid
from datetime import UTC, datetime, timedelta

NOON = datetime(2026, 11, 30, 12, 0, 30, tzinfo=UTC)


def event(seq=1, **changes):
    """One change of one breaker."""
    plain = {
        "event_id": str(uuid.uuid4()),
        "breaker": "points-api",
        "scope": "provider",
        "instance_id": "sh-1",
        "boot_id": "b1",
        "seq": seq,
        "occurred_at": (NOON + timedelta(seconds=seq)).isoformat(),
        "from_state": "closed",
        "to_state": "open",
        "reason": "failure_rate",
        "window": {"type": "time", "size": 60, "calls": 10, "failed": 9},
    }
    return {**plain, **changes}


def place(breaker="points-api", state="closed", seq=0, **changes):
    """One breaker in a heartbeat."""
    plain = {"breaker": breaker, "scope": "provider", "state": state, "since": NOON.isoformat(), "seq": seq}
    return {**plain, **changes}


def heartbeat(*places, boot="b1"):
    """A heartbeat of an instance."""
    return {"boot_id": boot, "sent_at": NOON.isoformat(), "breakers": list(places)}
