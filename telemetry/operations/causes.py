"""Which cause a failed call has: by a person's rule, else by what does not vary in what was said about it."""

from collections.abc import Mapping, Sequence
from typing import Any

from telemetry.domain.fingerprints import Cause, Fingerprint, Rule, fingerprint, others, rule_for, sentence

MOST_CAUSES = 300  # of one class of one tool, in one process: beyond, the messages are noise
NO_CAUSE = Fingerprint(0, "")
_causes_of: dict[tuple[str, str], set[int]] = {}


def cause_of(
    tool: str, failure_class: str, code: str, detail: Mapping[str, Any], rules: Sequence[Rule]
) -> Fingerprint:
    """Give the fingerprint of a failure; where a tool's messages are too many to tell apart, that of all others."""
    seen = detail.get("evidence") or {}
    exception = (seen.get("exception") or {}).get("type") or ""
    said = {name: value for name, value in (detail.get("failure") or {}).items() if value is not None}
    told = {**(detail.get("verdict") or {}), **said}
    received = told.get("received")
    cause = Cause(
        tool=tool,
        failure_class=failure_class,
        code=code,
        message=sentence(detail),
        exception=str(exception)[:80],
        field=str(told.get("field") or "")[:80],
        received=str(received) if isinstance(received, str | int | float) else "",
    )
    made = fingerprint(cause, rules=rules)
    known = _causes_of.setdefault((tool, failure_class), set())
    if made.id not in known and len(known) >= MOST_CAUSES:
        return others(cause)
    known.add(made.id)
    return made


def overruling(tool: str, detail: Mapping[str, Any], rules: Sequence[Rule]) -> Rule | None:
    """Give the rule by which a person has said what such a failure really is, if there is one."""
    rule = rule_for(tool, sentence(detail), rules) if rules else None
    return rule if rule is not None and rule.failure_class else None
