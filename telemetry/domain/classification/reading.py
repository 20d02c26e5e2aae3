"""From what an error body says to findings: vendors' tables first, then protocol codes, words and sentences."""

import re
from collections.abc import Iterable

from telemetry.domain.classification.causes import Cause
from telemetry.domain.classification.fault_types import GENERIC, LOOKUP
from telemetry.domain.classification.findings import Finding
from telemetry.domain.classification.packs import read_pack_code, read_pack_text
from telemetry.domain.classification.phrases import read_text
from telemetry.domain.classification.problems import Problem
from telemetry.domain.classification.protocols import read_errno, read_grpc, read_json_rpc, read_sqlstate
from telemetry.domain.classification.sight import Sight
from telemetry.domain.classification.statuses import read_status
from telemetry.domain.classification.words import read_code

MAX_TEXTS = 14
_RAISED = re.compile(r"\b([A-Z][A-Za-z]{3,60}(?:Exception|Error|Timeout|Violation))\b")


def read_problems(problems: Iterable[Problem], sight: Sight) -> list[Finding]:
    """Every finding in the problems of one body."""
    found: list[Finding] = []
    texts = 0
    for problem in problems:
        silent = len(found)
        for code in problem.codes[:12]:
            found += [_at(finding, problem) for finding in read_any_code(code, sight)]
        for text in problem.texts[:6]:
            texts += 1
            if texts <= MAX_TEXTS:
                found += [_at(finding, problem) for finding in read_sentence(text, sight)]
        found += [
            _at(finding, problem)
            for status in problem.statuses[:2]
            if (finding := _inner_status(status, sight))
        ]
        if len(found) == silent:
            found.append(Finding(Cause.SERVER_ERROR, 0, "unread", problem))
    return found


def _at(finding: Finding, problem: Problem) -> Finding:
    return Finding(finding.cause, finding.weight, finding.rule, problem)


def _inner_status(status: int, sight: Sight) -> Finding | None:
    """A status inside a body counts only where the answer's own status says nothing."""
    if sight.status is not None and sight.status >= 400:
        return None
    return read_status(status, sight.side_effect)


def read_any_code(code: str, sight: Sight) -> list[Finding]:
    """A code by the vendor's table, by its protocol, or by its words."""
    if known := read_pack_code(code, sight.packs):
        return [known]
    exact = read_errno(code) or (read_sqlstate(code) if not code.isdigit() else None) or read_json_rpc(code)
    if exact:
        return [exact]
    if code.isupper() and (grpc := read_grpc(code)):
        return [grpc]
    worded = read_code(code)
    return [worded] if worded else []


def read_sentence(text: str, sight: Sight) -> list[Finding]:
    """A sentence by the vendor's patterns, and by the phrases of ten languages."""
    found = read_text(text)
    for name in dict.fromkeys(_RAISED.findall(text[:1_500])[:6]):
        if name.lower() in GENERIC:
            continue
        if row := LOOKUP.get(name.lower()):
            found.append(Finding(row[0], min(row[1], 80), f"exception/{name}"))
        elif (worded := read_code(name)) and worded.weight >= 60:
            found.append(Finding(worded.cause, min(worded.weight, 78), f"exception/{name}"))
    if any(one.rule.startswith("exception/") and one.cause is not Cause.CRASH for one in found):
        found = [one for one in found if one.cause is not Cause.CRASH]
    if known := read_pack_text(text.lower(), sight.packs):
        found = [known, *found]
    return found


def best(findings: Iterable[Finding]) -> Finding | None:
    """The heaviest finding; of equal ones the first. A problem that nobody could read weighs nothing."""
    found = max(findings, key=lambda finding: finding.weight, default=None)
    return found if found is not None and found.weight > 0 else None


NO_FAILURE = frozenset({Cause.OK, Cause.REPLAY, Cause.NOT_MODIFIED, Cause.NO_RESULTS})
