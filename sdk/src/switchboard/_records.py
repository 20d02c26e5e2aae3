"""From what an agent says about a call to the bytes that are queued: bounded, redacted, with the blanks filled in."""

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import datetime
from enum import Enum
from typing import Any

from pydantic_core import to_json

from switchboard._clean import HIDDEN, Cleaner
from switchboard._config import Config, Process
from switchboard._ids import random_hex, uuid7
from switchboard._line import Line
from switchboard._scan import Scan, suspicious
from switchboard.clock import Clock
from switchboard.wire import Call

FREE = frozenset(
    {"args", "result", "evidence", "reasoning", "attributes", "failure", "items", "attempts", "recovery", "limits",
     "args_schema"}
)  # fmt: skip
LIMIT = 16_384
FLAGS = "sdk.flags"

_trace: ContextVar[tuple[str, str | None] | None] = ContextVar("switchboard_trace", default=None)


def new_trace_id() -> str:
    """Give a W3C trace id."""
    return random_hex(32)


@contextmanager
def trace(trace_id: str | None = None, *, session_id: str | None = None) -> Iterator[str]:
    """Give every call reported and every case opened inside the block one trace id, and a session id if given."""
    name = trace_id or new_trace_id()
    token = _trace.set((name, session_id))
    try:
        yield name
    finally:
        _trace.reset(token)


class Records:
    """Makes the record of one call. Takes microseconds: it runs in the agent's own thread."""

    def __init__(self, *, config: Config, line: Line, cleaner: Cleaner, clock: Clock) -> None:
        self._line = line
        self.cleaner = cleaner
        self.clock = clock
        self._config = config
        self._scan = Scan(cleaner.is_secret)
        self._process: Process | None = None
        self._defaults: dict[str, Any] = {}

    def __call__(self, call: Call | Mapping[str, Any]) -> tuple[str, bytes]:
        """Give the call's id and its JSON. The call itself is neither kept nor changed."""
        source = call.__dict__ if isinstance(call, Call) else call
        if self._process is not self._line.process:
            self._defaults = self._known()
        record = {**self._defaults, **traced(), **source}
        if None in record.values():
            record = {name: value for name, value in record.items() if value is not None}
        self._complete(record)
        return str(record["call_id"]), self._quick(record) or self._careful(record)

    def _known(self) -> dict[str, Any]:
        """Give what every call of this process has in common. A call is a write, unless it says otherwise."""
        self._process = process = self._line.process
        known = {"agent_version": self._config.agent_version, "session_id": self._config.session_id}
        said = {name: value for name, value in known.items() if value is not None}
        return {"side_effect": "write", "duration_ms": 0.0, "instance": process.instance, **said}

    def _complete(self, record: dict[str, Any]) -> None:
        if "call_id" not in record:
            record["call_id"] = uuid7()
        if "trace_id" not in record:
            record["trace_id"] = new_trace_id()
        started = record.get("started_at") or self.clock.now()
        if isinstance(started, datetime) and started.tzinfo is None:
            started = started.astimezone()  # a naive time is the machine's own
        record["started_at"] = started

    def _quick(self, record: dict[str, Any]) -> bytes | None:
        """Give the JSON of a small, plain, innocent record; None for any other."""
        if not self._scan.plain(record):
            return None  # to_json would run a generator dry: it sees plain values only
        try:
            text = to_json(record, inf_nan_mode="strings")
        except ValueError:
            return None  # half a surrogate pair
        return None if len(text) > LIMIT or suspicious(text) else text

    def _careful(self, record: dict[str, Any]) -> bytes:
        """Give the JSON of any record, value by value: shortened, redacted, and flagged where that changed it."""
        flags: dict[str, list[str]] = {}
        for name, value in record.items():
            if name in FREE:
                record[name], found, _ = self.cleaner(value)
                if found:
                    flags[name] = sorted(found)
            elif not isinstance(value, str | int | float) or isinstance(value, Enum):
                record[name] = self.cleaner(value)[0]
        _hide_received(record, self.cleaner)
        if flags:
            record["attributes"] = {**record.get("attributes", {}), FLAGS: flags}
        text = json.dumps(record, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        return text.encode("utf-8", "replace")


def traced() -> dict[str, str]:
    """Give what the surrounding `trace(…)` block, or else an active OpenTelemetry span, says about every call in it."""
    current = _trace.get()
    if current is None:
        return _active_span()
    trace_id, session_id = current
    return {"trace_id": trace_id} if session_id is None else {"trace_id": trace_id, "session_id": session_id}


def _active_span() -> dict[str, str]:
    # Detected, never required: whoever traces with OpenTelemetry has loaded it.
    api = sys.modules.get("opentelemetry.trace")
    if api is None:
        return {}
    with suppress(AttributeError, TypeError, ValueError):  # another library of that name
        span = api.get_current_span().get_span_context()
        if span.is_valid:
            return {"trace_id": f"{span.trace_id:032x}"}
    return {}


def _hide_received(record: dict[str, Any], cleaner: Cleaner) -> None:
    failure = record.get("failure")
    if not isinstance(failure, dict) or failure.get("received") is None:
        return
    if cleaner.is_secret(str(failure.get("field"))):
        failure["received"] = HIDDEN
