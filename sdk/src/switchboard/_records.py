"""From what an agent says about a call to what is queued: a bounded, redacted copy with the blanks filled in."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from typing import Any
from uuid import uuid4

from switchboard._clean import HIDDEN, Cleaner
from switchboard._config import Config
from switchboard._ids import uuid7
from switchboard._line import Line
from switchboard.clock import Clock
from switchboard.wire import Call

FREE = frozenset(
    {"args", "result", "evidence", "reasoning", "attributes", "failure", "items", "attempts", "recovery", "limits",
     "args_schema"}
)  # fmt: skip
BASE_CHARS = 600
FLAGS = "sdk.flags"

_trace: ContextVar[tuple[str, str | None] | None] = ContextVar("switchboard_trace", default=None)


def new_trace_id() -> str:
    """Give a W3C trace id."""
    return uuid4().hex


def current_trace_id() -> str:
    """Give the trace id of the surrounding `trace(…)` block, or a new one."""
    current = _trace.get()
    return current[0] if current else new_trace_id()


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
        self._config = config
        self._line = line
        self.cleaner = cleaner
        self.clock = clock

    def __call__(self, call: Call | Mapping[str, Any]) -> tuple[dict[str, Any], int]:
        """Give the record and its rough size. The call itself is neither kept nor changed."""
        source = call.__dict__ if isinstance(call, Call) else call
        record: dict[str, Any] = {}
        size = BASE_CHARS
        flags: dict[str, list[str]] = {}
        for name, value in source.items():
            if value is None:
                continue
            if name in FREE:
                value, found, used = self.cleaner(value)  # noqa: PLW2901  # the copy takes the value's place
                size += used
                if found:
                    flags[name] = sorted(found)
            record[name] = value
        self._complete(record)
        _hide_received(record, self.cleaner)
        if flags:
            record["attributes"] = {**record.get("attributes", {}), FLAGS: flags}
        return record, size

    def _complete(self, record: dict[str, Any]) -> None:
        config, current = self._config, _trace.get()
        record.setdefault("call_id", uuid7())
        record.setdefault("side_effect", "write")  # nothing is assumed safe
        record.setdefault("duration_ms", 0.0)
        record.setdefault("instance", self._line.process.instance)
        record.setdefault("trace_id", current[0] if current else new_trace_id())
        session_id = (current[1] if current else None) or config.session_id
        if session_id is not None:
            record.setdefault("session_id", session_id)
        if config.agent_version is not None:
            record.setdefault("agent_version", config.agent_version)
        started = record.get("started_at")
        if started is None:
            record["started_at"] = self.clock.now()
        elif isinstance(started, datetime) and started.tzinfo is None:
            record["started_at"] = started.astimezone()  # a naive time is the machine's own


def _hide_received(record: dict[str, Any], cleaner: Cleaner) -> None:
    failure = record.get("failure")
    if (
        isinstance(failure, dict)
        and failure.get("received") is not None
        and cleaner.is_secret(str(failure.get("field")))
    ):
        failure["received"] = HIDDEN
