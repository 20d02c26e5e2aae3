"""Posts a corpus of recorded tool failures through the public API, as calls of the tools they came from."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

import httpx2

CALLS = UUID("5b0e2f6c-7d1a-4f7e-9a55-2d8f6c1f0a11")  # the same line has the same call id at every import
TRACES = UUID("c2a4d0be-93c7-4a86-8a1e-0c1f6f5a7e42")
EVIDENCE = ("http_status", "headers", "body", "exception", "grpc_status", "exit_code", "stderr")
BATCH = 100


@dataclass
class Tally:
    """How the console answered, item by item."""

    accepted: int = 0
    duplicate: int = 0
    corrected: int = 0
    rejected: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        total = self.accepted + self.duplicate + self.corrected + len(self.rejected)
        said = f"{total} calls: {self.accepted} accepted, {self.duplicate} duplicate, {len(self.rejected)} rejected."
        return "\n".join([said, *self.rejected])


def read(path: Path, *, at: datetime) -> list[dict[str, Any]]:
    """The calls of a corpus file, without its labels. Raises ValueError with the line that is no case."""
    calls = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip():
            try:
                calls.append(call(json.loads(line), at=at))
            except (ValueError, KeyError, TypeError) as exc:
                raise ValueError(f"Line {number} of {path.name} is no corpus case: {exc!r}") from exc
    return calls


def call(case: Mapping[str, Any], *, at: datetime) -> dict[str, Any]:
    """One case as a call report: what was asked and what was seen, and nothing of what was concluded from it."""
    outcome, request = case["outcome"], case["request"]
    report = {
        "call_id": str(uuid5(CALLS, case["id"])),
        "trace_id": uuid5(TRACES, case["id"]).hex,
        "tool": case["tool"],
        "side_effect": effect(side_effect=case["side_effect"], idempotent=case["idempotent"]),
        "started_at": at.isoformat(),
        "duration_ms": outcome.get("duration_ms", 0),
        "args": request["args"],
        "evidence": {name: outcome[name] for name in EVIDENCE if name in outcome},
    }
    if "timeout_ms" in outcome:
        report["timeout_ms"] = outcome["timeout_ms"]
    if "json_schema" in request:
        report["args_schema"] = request["json_schema"]
    return report


def effect(*, side_effect: bool, idempotent: bool) -> str:
    """The corpus' two flags in the console's one word."""
    if not side_effect:
        return "read"
    return "idempotent_write" if idempotent else "write"


def post(calls: Sequence[Mapping[str, Any]], *, url: str, key: str, client: httpx2.Client) -> Tally:
    """Post the calls in batches and count the answers. Raises httpx2.HTTPError where the console does not take them."""
    tally = Tally()
    for first, batch in _batches(calls):
        answer = client.post(
            f"{url.rstrip('/')}/api/v1/calls",
            json={"calls": batch},
            headers={"authorization": f"Bearer {key}"},
        )
        if answer.status_code not in {200, 207}:
            raise httpx2.HTTPError(f"The console answered {answer.status_code}: {answer.text[:300]}")
        said = answer.json()
        tally.accepted += said["accepted"]
        tally.duplicate += said["duplicate"]
        tally.corrected += said["corrected"]
        tally.rejected += [
            f"call {first + r['index']}: {json.dumps(r, ensure_ascii=False)}" for r in said["rejected"]
        ]
    return tally


def _batches(calls: Sequence[Mapping[str, Any]]) -> Iterator[tuple[int, list[Mapping[str, Any]]]]:
    for first in range(0, len(calls), BATCH):
        yield first, list(calls[first : first + BATCH])
