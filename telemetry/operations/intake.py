"""From the bytes of a report to calls ready to store."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson

from telemetry.contract import MAX_CALLS, Call, RejectedCall, ReportCalls
from telemetry.operations.items import read_items
from telemetry.operations.prepare import Knowledge, Prepared, prepare
from telemetry.operations.rows import ContextRow


@dataclass(frozen=True, slots=True)
class Submission:
    """One request's calls: those ready to store with their place in the request, and those refused."""

    agent_id: int
    key_id: int
    rows: tuple[Prepared, ...]
    rejected: tuple[RejectedCall, ...]
    size: int  # bytes, for the bound of the queue
    at: datetime
    contexts: tuple[ContextRow, ...] = ()

    @property
    def received(self) -> int:
        """Count the items of the request."""
        return len(self.rows) + len(self.rejected)


def submission(
    body: bytes, *, agent_id: int, key_id: int, at: datetime, knowledge: Knowledge, known: Any = None
) -> Submission:
    """Read a request body. Raises Malformed where it is no list of 1 to 1,000 items at all.

    `knowledge` is what people have said about tools, `known` what the body was written from in this process; that is
    spent. No database is asked: this runs on the loop.
    """
    found = read_items(
        body, batch=ReportCalls, item=Call, name="calls", id_name="call_id", most=MAX_CALLS, parsed=True, known=known
    )  # fmt: skip
    rows = tuple(
        prepare(said, raw, agent_id=agent_id, at=at, flags=flags, knowledge=knowledge)
        for said, raw, flags in found.good
    )
    rejected = tuple(
        RejectedCall(index=no.index, call_id=no.id, code=no.code, detail=no.detail, errors=list(no.errors))
        for no in found.rejected
    )
    return Submission(agent_id, key_id, rows, rejected, len(body), at)


def submissions_of(
    calls: Sequence[dict[str, Any]], *, agent_id: int, key_id: int, at: datetime, knowledge: Knowledge
) -> list[Submission]:
    """Make calls ready that were written here from what was reported, in submissions of bounded size."""
    said = []
    for start in range(0, len(calls), MAX_CALLS):
        body, known = _written(calls[start : start + MAX_CALLS])
        said.append(
            submission(body, agent_id=agent_id, key_id=key_id, at=at, knowledge=knowledge, known=known)
        )
    return said


def _written(calls: Sequence[dict[str, Any]]) -> tuple[bytes, Any]:
    """Write calls as JSON, and give what was written; what strict JSON does not take is escaped, and read again to be cleaned."""
    said = {"calls": calls}
    try:
        return orjson.dumps(said), said
    except TypeError:
        return json.dumps(said, default=str).encode(), None
