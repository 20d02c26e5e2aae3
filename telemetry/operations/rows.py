"""What the two databases' SQL takes and gives, in plain tuples."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

import orjson

from telemetry.domain.otlp.reading import Place
from telemetry.domain.tally import RollupRow, SeriesWords, SketchKey

Value = int | str | datetime
KeyRow = tuple[int, str, int, int]  # agent, call_id, call, rev
LedgerRow = tuple[int, int, str, str, int]  # key, minute, what, reason, n

CauseRow = tuple[
    int, int, str, str, str, datetime, int
]  # id, tool, class, code, template, first seen, first call

# agent's id, trace, span, parent, session, agent's name, tool, is MCP, call_id, minute, why a message failed
ContextRow = tuple[int, str, str, str, str, str, str, bool, str, int, str]

PlaceOfTool = tuple[str, str, str]  # trace, span, tool


class ToolSpan(NamedTuple):
    """A tool's span or a message of MCP, as it is kept. `failed`: JSON that says why a message failed."""

    trace_id: str
    span_id: str
    tool: str
    parent_id: str
    is_mcp: bool
    call_id: str
    failed: str


class CallRow(NamedTuple):
    """The columns of a call."""

    id: int
    series: int
    call_id: str
    rev: int
    trace_id: str
    bucket: int
    started_at: datetime
    duration_us: int
    attempts: int
    recovery_us: int
    fingerprint: int
    detail: bytes

    def columns(self, started_at: str | datetime) -> tuple[Value, ...]:
        """Give the columns in the order of INSERT; the time as the driver wants it."""
        id_, series, call_id, rev, trace, bucket, _, took, tries, saved, cause, detail = self
        when, how_long = (trace, bucket, started_at), (took, tries, saved)
        return (id_, series, call_id, rev, *when, *how_long, cause, detail.decode())

    def changing(self, started_at: str | datetime) -> tuple[Value, ...]:
        """Give the columns that a correction may change, in the order of REPLACE."""
        when = (self.rev, self.trace_id, self.bucket, started_at)
        numbers = (self.duration_us, self.attempts, self.recovery_us, self.fingerprint)
        return (*when, *numbers, self.detail.decode())


@dataclass(frozen=True, slots=True)
class StoredRow:
    """What a stored call was counted as, for taking it out of the counters."""

    id: int
    words: SeriesWords
    bucket: int
    duration_us: int
    attempts: int
    recovery_us: int
    fingerprint: int
    detail: str


def times_of(rows: Sequence[CallRow], *, between: str = "T", zone: str = "+00:00") -> list[str]:
    """Write when calls began, in UTC, all at once: orjson does it ten times as fast as each for itself."""
    written = orjson.dumps([row.started_at for row in rows]).decode()
    return written.replace("T", between).replace("+00:00", zone)[2:-2].split('","') if rows else []


class Store(Protocol):
    """The statements that write calls and their counters; each takes its rows in the order they are locked in."""

    def known_words(
        self, tools: Mapping[int, str], series: Mapping[int, SeriesWords], *, at: datetime
    ) -> None:
        """Make sure the tools and series exist."""

    def known_causes(self, causes: Sequence[CauseRow]) -> None:
        """Make sure the fingerprints exist, in the order of their ids."""

    def contexts(self, rows: Sequence[ContextRow]) -> None:
        """Keep what spans say about the calls beneath them; a later copy replaces an earlier one."""

    def claim(self, keys: Sequence[KeyRow]) -> set[int]:
        """Insert the keys that are new and give the ids of their calls."""

    def claimed(self, keys: Sequence[tuple[int, str]]) -> dict[tuple[int, str], tuple[int, int]]:
        """Lock keys that exist and give their (call, rev)."""

    def messages_under(self, agent_id: int, places: Sequence[PlaceOfTool]) -> list[ToolSpan]:
        """Give the messages of MCP right under these spans, of the same tool."""

    def spans_at(self, agent_id: int, places: Sequence[Place]) -> list[ToolSpan]:
        """Give the spans at these places."""

    def stored(self, calls: Sequence[int]) -> dict[int, StoredRow]:
        """Give stored calls as they were counted."""

    def insert(self, rows: Sequence[CallRow]) -> None:
        """Insert calls whose keys were claimed."""

    def replace(self, rows: Sequence[tuple[int, CallRow]]) -> None:
        """Overwrite calls (agent, row) and raise the rev of their keys."""

    def roll_up(self, rows: Iterable[RollupRow]) -> None:
        """Add to the counters."""

    def sketch(self, changes: Mapping[SketchKey, int]) -> None:
        """Add to the latency sketches."""

    def put_off(self, tally: bytes) -> None:
        """Keep what is to be added to the counters later."""

    def take_uncounted(self) -> list[bytes]:
        """Give what was put off by anybody, and forget it. Whoever is about to add it holds it until the commit."""

    def account(self, rows: Sequence[LedgerRow]) -> None:
        """Add to the ledger."""

    def used(self, keys: Sequence[int], *, at: datetime) -> None:
        """Note that keys were used."""
