"""Reports as agents send them, written before the clock runs."""

import json
import random
import time
from datetime import UTC, datetime, timedelta

from tests.telemetry.spans import as_protobuf, exported, tool

BATCH = 100
TOOLS = [f"tool.{n}" for n in range(10)]
JSON, PROTOBUF = "application/json", "application/x-protobuf"


def time_ordered():
    """A UUID version 7: what the SDK makes."""
    value = (time.time_ns() // 1_000_000 << 80) | (7 << 76) | (random.getrandbits(12) << 64) | (2 << 62)
    text = f"{value | random.getrandbits(62):032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def call(tool=None):
    """One call of about half a kilobyte; six of a hundred recovered, two failed."""
    started = (datetime.now(UTC) - timedelta(milliseconds=200)).isoformat()
    made = {
        "call_id": time_ordered(),
        "trace_id": f"{random.getrandbits(128):032x}",
        "tool": tool or random.choice(TOOLS),
        "side_effect": "read",
        "started_at": started,
        "duration_ms": round(random.lognormvariate(5, 0.8), 1),
        "outcome": "succeeded",
        "session_id": "s-88c1",
        "instance": "sh-3-4711-a0b1c2d3",
        "agent_version": "3.8.1",
        "args": {"from": "VIE", "to": "LIS", "date": "2026-12-24", "adults": 2},
        "result": {"offers": [{"id": n, "price": 120.5 + n} for n in range(3)]},
    }
    luck = random.random()
    if luck < 0.06:
        attempt = {"started_at": started, "duration_ms": 100}
        tries = [
            {"n": 1, "class": "transient", "code": "TIMEOUT", **attempt},
            {"n": 2, "wait_ms": 500, **attempt},
        ]
        made |= {"outcome": "recovered", "attempts": tries, "recovery": {"by": "retry", "latency_ms": 900}}
        made["failure"] = {"class": "transient", "code": "TIMEOUT"}
    elif luck < 0.08:
        failure = {"class": "hard", "code": "NOT_FOUND", "message": "no such offer"}
        made |= {"outcome": "failed", "failure": failure}
    return made


def span():
    """One tool span of OpenTelemetry's conventions."""
    return {
        **tool(1, tool=random.choice(TOOLS), gen_ai__tool__call__arguments='{"from": "VIE", "to": "LIS"}'),
        "traceId": f"{random.getrandbits(128):032x}",
        "spanId": f"{random.getrandbits(64) | 1:016x}",
        "startTimeUnixNano": str(time.time_ns() - 200_000_000),
        "endTimeUnixNano": str(time.time_ns()),
    }


def request(key, path, body, media=JSON):
    """A whole request as bytes."""
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\nContent-Type: {media}\r\n"
    )
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def posted(key, calls):
    """A report of these calls."""
    return request(key, "/api/v1/calls", json.dumps({"calls": calls}).encode())


def exported_spans(count):
    """The body of an OTLP export in protobuf."""
    return as_protobuf(exported(*[span() for _ in range(count)]))
