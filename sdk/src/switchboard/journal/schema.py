"""The tables of a journal file."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from switchboard.journal.entry import TRANSITIONS, Entry, State
from switchboard.vocabulary import Effect

SCHEMA = """
CREATE TABLE IF NOT EXISTS session (
  id TEXT PRIMARY KEY, goal TEXT NOT NULL, trace_id TEXT NOT NULL, owner TEXT NOT NULL, fence INTEGER NOT NULL,
  lease_until REAL NOT NULL, made_at TEXT NOT NULL, finished_at TEXT
) STRICT;
CREATE TABLE IF NOT EXISTS call (
  session_id TEXT NOT NULL REFERENCES session (id), logical_id TEXT NOT NULL, call_id TEXT NOT NULL,
  tool TEXT NOT NULL, version TEXT NOT NULL, effect TEXT NOT NULL, key TEXT NOT NULL UNIQUE,
  fingerprint TEXT NOT NULL, args TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('intended', 'started', 'done', 'failed', 'unknown', 'reconciled')),
  at TEXT NOT NULL, result TEXT, compensation TEXT, late TEXT, round INTEGER, fence INTEGER NOT NULL,
  PRIMARY KEY (session_id, logical_id),
  CHECK ((result IS NULL) = (state IN ('intended', 'started')))
) STRICT;
CREATE INDEX IF NOT EXISTS call_effect ON call (session_id, fingerprint) WHERE effect <> 'read';
CREATE TABLE IF NOT EXISTS handover (
  session_id TEXT NOT NULL REFERENCES session (id), key TEXT NOT NULL, logical_id TEXT, body TEXT NOT NULL,
  case_id TEXT, revision INTEGER NOT NULL, decision TEXT, status TEXT, reported INTEGER NOT NULL,
  PRIMARY KEY (session_id, key)
) STRICT;
CREATE TABLE IF NOT EXISTS secret (
  session_id TEXT NOT NULL REFERENCES session (id), ref TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (session_id, ref)
) STRICT;
"""
UPSERT_CASE = """
INSERT INTO handover VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (session_id, key) DO UPDATE SET body = excluded.body, case_id = excluded.case_id,
  revision = excluded.revision, decision = excluded.decision, status = excluded.status, reported = excluded.reported
"""
BEFORE = {  # the states a call may have come from, as SQL has them
    after: ", ".join(f"'{before}'" for before, then in TRANSITIONS.items() if after in then)
    for after in State
}
COLUMNS = "logical_id, call_id, tool, version, effect, key, fingerprint, args, state, at, result, compensation, late, round"


def as_json(value: Any) -> str:
    """A value as a column has it."""
    return json.dumps(value, separators=(",", ":"), default=str)


def read_entry(row: tuple[Any, ...]) -> Entry:
    """The call in a row of COLUMNS."""
    given: Mapping[str, Any] = dict(zip(COLUMNS.split(", "), row, strict=True))
    return Entry(
        **{
            **given,
            "effect": Effect(given["effect"]),
            "state": State(given["state"]),
            "args": json.loads(given["args"]),
            "at": datetime.fromisoformat(given["at"]),
            "compensation": json.loads(given["compensation"]) if given["compensation"] else None,
        }
    )
