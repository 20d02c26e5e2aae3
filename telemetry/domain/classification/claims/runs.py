"""Runs that a call started and waited for: their own state is the call's outcome."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from telemetry.domain.classification.claims.vocabulary import ERRORS, WORDS_BAD
from telemetry.domain.classification.plain import blank, key, names, some

STARTS = names("run execute invoke predict generate complete infer workflow prediction flow")
SHOWS = names(
    """
    get list show describe status history read fetch runs jobs executions predictions workflows result
    results check poll find search logs log last
    """
)
PARTS = frozenset({"data", "run", "prediction", "execution", "result"})


def starts_run(words: Iterable[str]) -> bool:
    """True for a tool that runs something, and not for one that shows how a run went."""
    own = set(words)
    return not own.isdisjoint(STARTS) and own.isdisjoint(SHOWS)


def ran_badly(body: Mapping[str, Any]) -> bool:
    """`"status": "failed"` beside a filled error, in the body or in the part that describes the run."""
    return any(_failed(part) for part in _parts(body))


def _parts(body: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield body
    for name, value in some(body.items(), 20):
        if key(name) in PARTS and isinstance(value, dict):
            yield value


def _failed(part: Mapping[str, Any]) -> bool:
    members = [(key(name), value) for name, value in some(part.items(), 40)]
    bad = any(role in {"status", "state"} and key(value) in WORDS_BAD for role, value in members)
    return bad and any(
        role in ERRORS and isinstance(value, str | dict) and not blank(value) for role, value in members
    )
