"""A reported call made ready to store: placed in time, classified where the agent gave no class, without secrets."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from console.kit.calendar import within
from telemetry.contract import Attempt, Call, Evidence
from telemetry.domain import classification
from telemetry.domain.buckets import place, sane
from telemetry.domain.classification import Classification, Verdict
from telemetry.domain.fingerprints import Rule
from telemetry.domain.hostile import fitted
from telemetry.domain.ids import id_of_words
from telemetry.domain.redaction import MAX_DEPTH, REDACTED, holds_secrets, is_secret, redact, redact_failure
from telemetry.domain.tally import Counted
from telemetry.operations.causes import NO_CAUSE, cause_of, overruling
from telemetry.vocabulary import ClassSource, FailureClass, Outcome, RecoveredBy

log = logging.getLogger(__name__)
MAX_DETAIL_BYTES = 64 * 1024
# What stands in columns; everything else of a report is kept as the JSON of `Call.detail`.
_COLUMNS = ("call_id", "rev", "trace_id", "tool", "started_at", "duration_ms")
_MAY_BE_SECRET = ("args", "result", "evidence", "attributes", "items")
_CUT = frozenset({"truncated", "too_deep", "too_many_items", "redacted"})
# Where none of these is there, the call ended and nothing is known against it: the rules would say the same.
_TELLING = frozenset({"outcome", "evidence", "result", "items", "args_schema", "timeout_ms"})
_FINE = (Outcome.SUCCEEDED, Outcome.SKIPPED, Outcome.DEFERRED)


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What people have said about tools, as far as it matters for judging a call."""

    not_found_is_empty: Mapping[str, bool] = field(default_factory=dict)
    rules: tuple[Rule, ...] = ()


class Prepared(NamedTuple):
    """A call ready to store: what the counters see of it, its columns, and its details as JSON."""

    counted: Counted
    call_id: str
    rev: int
    trace_id: str
    tool: str
    started_at: datetime
    detail: bytes
    template: str  # of the fingerprint


class Judged(NamedTuple):
    """What a call is counted under, and how that was found."""

    outcome: Outcome
    failure_class: FailureClass | None
    code: str
    verdict: dict[str, Any] | None


def prepare(
    said: Call,
    raw: dict[str, Any],
    *,
    agent_id: int,
    at: datetime,
    flags: set[str],
    knowledge: Knowledge,
) -> Prepared:
    """Make one call ready. `raw` is the JSON that `said` was read from; what is no column of it is stored, it is spent."""
    started_at = within(said.started_at)
    minute, duration_us, odd = place(started_at, said.duration_ms, received_at=at)
    outcome, failure_class, code, detail = _judged(said, raw, flags, knowledge)
    flags.update(odd)
    name, cause = "", NO_CAUSE
    if failure_class is not None:
        name = str(failure_class)
        cause = cause_of(said.tool, name, code, detail, knowledge.rules)
    text = _without_secrets(detail, flags)
    counted = Counted(  # by place: names would be a tenth of the work of a plain call
        agent_id,
        id_of_words("tool", said.tool),
        name,
        code,
        str(outcome),
        _recoverer(said, outcome),
        minute,
        duration_us,
        len(said.attempts) or (0 if outcome is Outcome.SKIPPED else 1),
        sane(said.recovery.latency_ms)[0] if said.recovery is not None else 0,
        failed_attempts(detail),
        cause.id,
    )
    return Prepared(
        counted, said.call_id, said.rev, said.trace_id, said.tool, started_at, text, cause.template
    )


def _judged(
    said: Call, raw: dict[str, Any], flags: set[str], knowledge: Knowledge
) -> tuple[Outcome, FailureClass | None, str, dict[str, Any]]:
    """Judge a call, a person's rules included; give outcome, class and code, and the details with how that was found."""
    judged = judge(
        said,
        not_found_is_empty=knowledge.not_found_is_empty.get(said.tool),
        complete=_CUT.isdisjoint(flags),
    )
    detail = _detail(said, raw)
    if knowledge.rules and judged.failure_class:
        known = {**detail, "verdict": judged.verdict}
        judged = overruled(judged, overruling(said.tool, known, knowledge.rules))
    outcome, failure_class, code, verdict = judged
    if verdict is not None:
        detail["verdict"] = verdict
    return outcome, failure_class, code, detail


def judge(said: Call, *, not_found_is_empty: bool | None = None, complete: bool = True) -> Judged:
    """Say how a call ended and what kind of failure it met; the agent's own class is kept.

    `complete` is False where a part of it was cut or redacted: then nothing is called empty.
    """
    failure = said.failure
    if failure is not None and failure.failure_class is not None:
        outcome = said.outcome or _outcome(failure.failure_class, said)
        words = {"source": ClassSource.AGENT, "class": failure.failure_class, "code": failure.code}
        return Judged(outcome, failure.failure_class, failure.code or "", words)
    if said.outcome in _FINE and failure is None:
        return Judged(said.outcome, None, "", None)
    failed = [attempt for attempt in said.attempts if attempt.failure_class is not None]
    if failed and failure is None:
        return _by_attempt(said, failed[-1])
    if failure is None and _TELLING.isdisjoint(said.model_fields_set):
        return Judged(_recovered(said) or Outcome.SUCCEEDED, None, "", None)
    seen = evidence(said, not_found_is_empty=not_found_is_empty, complete=complete)
    found = _classified(seen)
    return _by_rules(said, found)


def _classified(seen: classification.Evidence) -> Classification:
    """Ask the rules. Should one of them break on something nobody thought of, the call is stored all the same."""
    try:
        return classification.classify(seen)
    except Exception:
        log.exception("the classifier broke on a call of %s", seen.tool)
        return Classification(
            verdict=Verdict.INTERNAL, rule="classifier/broken", version=classification.VERSION
        )


def evidence(said: Call, *, not_found_is_empty: bool | None, complete: bool) -> classification.Evidence:
    """Give the classifier what was seen of a call. A result that was withheld is never called empty."""
    seen = said.evidence or Evidence()
    has_body = "body" in seen.model_fields_set
    # A call that was recovered or handed to a person may have failed or not: the evidence has to say.
    failed = {Outcome.FAILED: True, Outcome.SUCCEEDED: False}.get(said.outcome) if said.outcome else None
    return classification.Evidence(
        tool=said.tool,
        side_effect=str(said.side_effect),
        args=said.args,
        args_schema=said.args_schema,
        http_status=seen.http_status,
        headers=seen.headers,
        body=seen.body if has_body else said.result,
        has_body=has_body or "result" in said.model_fields_set,
        exception=seen.exception.model_dump(exclude_none=True) if seen.exception else None,
        grpc_status=seen.grpc_status,
        exit_code=seen.exit_code,
        stderr=seen.stderr,
        duration_ms=said.duration_ms,
        timeout_ms=said.timeout_ms,
        items=[item.model_dump(mode="json", by_alias=True) for item in said.items] if said.items else None,
        message=said.failure.message if said.failure else None,
        failed=True if said.failure is not None else failed,
        deferred=said.outcome is Outcome.DEFERRED,
        not_found_is_empty=not_found_is_empty,
        complete=complete,
    )


def overruled(judged: Judged, rule: Rule | None) -> Judged:
    """Let a person's rule say what a failure is, whatever the agent and the rules of the house think."""
    if rule is None:
        return judged
    name, code = FailureClass(rule.failure_class), rule.code or judged.code
    words = {"source": ClassSource.RULES, "class": name, "code": code or None, "rule": f"person/{rule.id}"}
    return Judged(judged.outcome, name, code, {**(judged.verdict or {}), **words})


def failed_attempts(detail: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Give class and code of every attempt that failed, from a call's details."""
    attempts = detail.get("attempts")
    if not isinstance(attempts, list):
        return ()
    return tuple(
        (str(attempt["class"]), str(attempt.get("code") or ""))
        for attempt in attempts
        if isinstance(attempt, dict) and attempt.get("class")
    )


def _by_attempt(said: Call, attempt: Attempt) -> Judged:
    """Take the agent's own word about its last attempt that failed; a later one that worked is a recovery."""
    name = attempt.failure_class
    assert name is not None  # noqa: S101  # the caller has looked
    outcome = said.outcome or (_outcome(name, said) if said.attempts[-1] is attempt else Outcome.RECOVERED)
    return Judged(
        outcome, name, attempt.code or "", {"source": ClassSource.AGENT, "class": name, "code": attempt.code}
    )


def _by_rules(said: Call, found: Classification) -> Judged:
    """Take the classifier's word, except against an agent that says it failed: then something is wrong inside."""
    if found.verdict is Verdict.DEFERRED:
        return Judged(said.outcome or Outcome.DEFERRED, None, "", None)
    if found.verdict is Verdict.SUCCESS and not (said.failure or said.outcome is Outcome.FAILED):
        return Judged(said.outcome or _recovered(said) or Outcome.SUCCEEDED, None, "", None)
    name = FailureClass.INTERNAL if found.verdict is Verdict.SUCCESS else FailureClass(found.verdict)
    code = (said.failure.code if said.failure else None) or _code(found.code)
    verdict = {
        "source": ClassSource.RULES,
        "class": name,
        "code": code or None,
        "field": found.field,
        "constraint": found.constraint,
        "hint": found.hint,
        "retryable": str(found.retryable),
        "retry_after_s": found.retry_after_s,
        "ok": found.ok_count,
        "failed": found.failed_count,
        "rule": found.rule,
        "confidence": found.confidence,
        "version": found.version,
    }
    verdict = {word: value for word, value in verdict.items() if value is not None}
    if found.has_received:
        hidden = found.field is not None and is_secret(found.field)
        verdict["received"] = REDACTED if hidden else found.received
    return Judged(said.outcome or _outcome(name, said), name, code, verdict)


def _outcome(name: FailureClass, said: Call) -> Outcome:
    """Say how a call with this failure ended where the agent does not."""
    recovered = _recovered(said)
    if recovered is not None:
        return recovered
    return Outcome.DEGRADED if name is FailureClass.PARTIAL else Outcome.FAILED


def _recovered(said: Call) -> Outcome | None:
    return Outcome.RECOVERED if said.recovery is not None else None


def _code(code: str | None) -> str:
    return (code or "")[:64]


def _recoverer(said: Call, outcome: Outcome) -> str:
    if said.recovery is not None:
        return str(said.recovery.by)
    # It recovered and nobody is named: only trying again needs no name.
    return str(RecoveredBy.RETRY) if outcome is Outcome.RECOVERED else ""


def _without_secrets(detail: dict[str, Any], flags: set[str]) -> bytes:
    """Give the details as JSON of bounded size, without what stands under a secret's name."""
    if holds_secrets(detail, MAX_DEPTH + 1):  # they lie one deeper in it
        for name in _MAY_BE_SECRET:
            if name in detail and holds_secrets(detail[name]):
                detail[name], _ = redact(detail[name])
                flags.add("redacted")
    if detail.get("failure"):
        detail["failure"], found = redact_failure(detail["failure"])
        if found:
            flags.add("redacted")
    text, cut = fitted(detail, limit=MAX_DETAIL_BYTES)
    flags |= cut
    if flags:
        text, _ = fitted({**detail, "flags": sorted(flags)}, limit=MAX_DETAIL_BYTES)
    return text


def _detail(said: Call, raw: dict[str, Any]) -> dict[str, Any]:
    for name in _COLUMNS:
        raw.pop(name, None)
    if said.attempts:
        raw["attempts"] = _timed(said.attempts, raw["attempts"])
    return raw


def _timed(said: Sequence[Attempt], raw: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give attempts as they are stored: their times in one spelling, where every zone can show them."""
    times = [within(one.started_at).isoformat() for one in said]
    return [{**its, "started_at": at} for its, at in zip(raw, times, strict=True)]
