"""Turns the finding that decided into the answer: class, code, wait, and for bad arguments which one."""

import re
from typing import Any

from telemetry.domain.classification.causes import MEANINGS, Cause
from telemetry.domain.classification.evidence import Classification, Verdict
from telemetry.domain.classification.fields import Blamed, blame, flattened, segments, valued_in
from telemetry.domain.classification.findings import Finding
from telemetry.domain.classification.plain import MISSING, clip, key, mapping, names, number
from telemetry.domain.classification.problems import Problem
from telemetry.domain.classification.schema import first_violation, unknown_keys
from telemetry.domain.classification.sight import Sight
from telemetry.domain.classification.version import VERSION
from telemetry.domain.classification.waits import retry_after

_KEYWORD = re.compile(r"unexpected keyword argument ['\"]([\w-]{1,80})['\"]")
_MISSING = re.compile(r"missing \d+ required (?:positional|keyword-only) arguments?: ['\"]([\w-]{1,80})['\"]")
_BARE_KEY = re.compile(r"^\W{0,2}(?:KeyError: )?['\"]([^'\"\n]{1,80})['\"]\W{0,2}$")
_OPENS = re.compile(
    r"^['\"`]?(\w{2,60})['\"`]? (?:only|must|should|has to|have to|cannot|can't|may not|needs?|expects?|takes?)\b"
)
"""What a tool says of an argument: `update only works with $ operators`."""
WAITING = frozenset(
    {
        Cause.RATE_LIMITED,
        Cause.BUSY,
        Cause.UNAVAILABLE,
        Cause.SERVER_ERROR,
        Cause.TIMEOUT,
        Cause.TIMEOUT_UNSENT,
        Cause.CONTENTION,
        Cause.QUOTA,
        Cause.NETWORK,
        Cause.UNKNOWN,
    }
)
ARGUMENTS = frozenset({Cause.VALIDATION, Cause.UNKNOWN_FIELD})


def answer_for(finding: Finding, sight: Sight, findings: list[Finding]) -> Classification:
    """The classification that a finding stands for."""
    meaning = MEANINGS[finding.cause]
    texts = spoken_texts(findings, sight)
    blamed = _blamed(finding, sight, findings, texts) if finding.cause in ARGUMENTS else Blamed()
    verdict = meaning.verdict(sight.side_effect)
    wait = (
        retry_after(sight, texts)
        if finding.cause in WAITING and verdict is not Verdict.UNKNOWN_OUTCOME
        else None
    )
    code = meaning.code_for(sight.side_effect)
    if finding.cause is Cause.VALIDATION and _hallucinated(blamed, sight):
        code = "UNKNOWN_FIELD"
    return Classification(
        verdict=verdict,
        code=code,
        retryable=meaning.retryable(sight.side_effect),
        retry_after_s=wait,
        field=clip(blamed.field, 200) if blamed.field else None,
        constraint=clip(blamed.constraint, 300) if blamed.constraint else None,
        received=None if blamed.received is MISSING else kept(blamed.received),
        has_received=blamed.received is not MISSING,
        hint=_hint(texts) if verdict is not Verdict.SUCCESS else None,
        rule=finding.rule,
        confidence=min(finding.weight, 99) / 100,
        version=VERSION,
    )


def spoken_texts(findings: list[Finding], sight: Sight) -> list[str]:
    """Every sentence of the failure, each once, the exception's first."""
    texts: dict[str, None] = {}
    if sight.fault and sight.fault.message:
        texts[sight.fault.message] = None
    if sight.stderr:
        texts[clip(sight.stderr, 3_000)] = None
    for finding in sorted(findings, key=lambda one: -one.weight):
        for text in finding.problem.texts if finding.problem else ():
            texts[text] = None
    if not texts and sight.text and len(sight.text) < 4_000 and not sight.html:
        texts[sight.text] = None
    return list(texts)[:20]


def _blamed(finding: Finding, sight: Sight, findings: list[Finding], texts: list[str]) -> Blamed:
    ordered: dict[int, Problem] = {}
    same = [one for one in findings if one.cause is finding.cause]
    for one in [finding, *same, *findings]:
        if one.problem is not None:
            ordered.setdefault(id(one.problem), one.problem)
    found = blame(sight, list(ordered.values()), texts)
    if found.field is None and (violation := first_violation(sight.args, sight.evidence.args_schema)):
        return Blamed(violation.field, violation.constraint, violation.received)
    return found


def _hallucinated(blamed: Blamed, sight: Sight) -> bool:
    """True where the argument blamed is one that the tool's schema does not have."""
    strange = unknown_keys(sight.args, sight.evidence.args_schema)
    if not strange:
        return False
    last = segments(blamed.field or "")[-1:]
    return not last or key(last[0]) in {key(name) for name in strange}


def arguments_broken(sight: Sight, texts: list[str]) -> Finding | None:
    """Evidence that a crash was caused by the arguments: they break the schema, or the message repeats one."""
    if violation := first_violation(sight.args, sight.evidence.args_schema):
        cause = Cause.UNKNOWN_FIELD if violation.unknown else Cause.VALIDATION
        problem = Problem(constraint=violation.constraint, received=violation.received, texts=texts[:1])
        return _blames(violation.field, cause, "schema/violation", 88, problem)
    joined = "\n".join(text[:1_000] for text in texts[:3])
    names = {key(segments(path)[-1]) for path, _ in flattened(sight.args) if segments(path)}
    if (match := _KEYWORD.search(joined)) and key(match.group(1)) in names:
        problem = Problem(texts=texts[:1])
        return _blames(match.group(1), Cause.VALIDATION, "exception/unexpected-argument", 88, problem)
    if missing := _missing_argument(joined, names, sight):
        problem = Problem(texts=texts[:1], constraint="required")
        return _blames(missing, Cause.VALIDATION, "exception/missing-argument", 86, problem)
    if (match := _OPENS.match(joined)) and key(match.group(1)) in names:
        problem = Problem(texts=texts[:1])
        return _blames(match.group(1), Cause.VALIDATION, "exception/names-argument", 84, problem)
    if code := _own_code(sight):
        return _blames(code, Cause.VALIDATION, "exception/own-code", 83, Problem(texts=texts[:1]))
    if "Traceback" not in joined and "panicked" not in joined and (path := valued_in(texts, _own(sight))):
        return _blames(path, Cause.VALIDATION, "exception/repeats-argument", 83, Problem(texts=texts[:1]))
    return None


RUNNING = names("run exec execute eval evaluate python repl interpreter notebook sandbox js javascript")
CODE = names("code script expression source program python javascript")


def _own_code(sight: Sight) -> str | None:
    """The program that the call itself brought along: what it raises is its own fault and no bug of the tool."""
    if RUNNING.isdisjoint(sight.words):
        return None
    return next(
        (str(name) for name, value in sight.args.items() if key(name) in CODE and isinstance(value, str)),
        None,
    )


def _blames(path: str, cause: Cause, rule: str, weight: int, problem: Problem) -> Finding:
    problem.field_path, problem.named = path, True
    return Finding(cause, weight, rule, problem)


def _missing_argument(said: str, names: set[str], sight: Sight) -> str | None:
    """The argument that a TypeError or a bare KeyError lacks."""
    if (match := _MISSING.search(said)) and key(match.group(1)) not in names:
        return match.group(1)
    properties = mapping((mapping(sight.evidence.args_schema) or {}).get("properties")) or {}
    lacks = (match := _BARE_KEY.match(said.strip())) and match.group(1) in properties
    return match.group(1) if match and lacks and key(match.group(1)) not in names else None


def _own(sight: Sight) -> dict[str, Any]:
    """The arguments without addresses, which messages repeat whatever went wrong."""
    return {
        path: value
        for path, value in flattened(sight.args)
        if not (isinstance(value, str) and "://" in value[:12])
    }


def kept(value: object, depth: int = 0) -> object:
    """A received value that is safe to keep as JSON: long text is cut, big containers are named by their size."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return value if len(value) <= 500 else value[:500] + "…"
    if isinstance(value, int | float):
        return value if number(value) is not None else None
    if not isinstance(value, list | tuple | dict):
        return clip(type(value).__name__, 40)
    if len(value) > 20 or depth > 2:
        return f"{len(value)} items"
    if isinstance(value, dict):
        return {clip(name, 80): kept(inner, depth + 1) for name, inner in value.items()}
    return [kept(inner, depth + 1) for inner in value]


def _hint(texts: list[str]) -> str | None:
    return clip(texts[0], 300) if texts else None
