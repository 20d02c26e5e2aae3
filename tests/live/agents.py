"""An agent without the SDK: hands cases over and reports calls by plain HTTP."""

import json
import urllib.request
from datetime import UTC, datetime, timedelta

from tests.escalations import made


class Agent:
    """One key of a running console."""

    def __init__(self, house, name="trip-booker"):
        self.house = house
        self.key = house.manage("agent", "create", name).split()[-1]

    def post(self, path, body):
        request = urllib.request.Request(
            self.house.url + path,
            data=json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)

    def hand_over(self, key, **changes):
        """Open a case that is due in half an hour; give it as the console answered."""
        due = (datetime.now(UTC) + timedelta(minutes=30)).isoformat()
        return self.post("/api/v1/escalations", made.package(key=key, expires_at=due, **changes))

    def report(self, *calls):
        return self.post("/api/v1/calls", {"calls": list(calls)})


def call(call_id, tool="points.query", **more):
    """A call that failed a moment ago."""
    at = datetime.now(UTC) - timedelta(seconds=30)
    told = {
        "call_id": call_id,
        "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
        "tool": tool,
        "side_effect": "read",
        "started_at": at.isoformat(),
        "duration_ms": 1400,
        "outcome": "failed",
        "failure": {"class": "hard", "code": "UNAUTHORIZED", "message": "token expired"},
    }
    return {**told, **more}
