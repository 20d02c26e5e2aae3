"""Tells a limit that passes within the hour from one that lasts for the day or the month."""

import re

from telemetry.domain.classification.causes import Cause
from telemetry.domain.classification.findings import Finding
from telemetry.domain.classification.sight import Sight

LIMITS = frozenset({Cause.QUOTA, Cause.RATE_LIMITED, Cause.POLICY, Cause.FORBIDDEN})
"""What a refusal for too many calls may be taken for."""
_SHORT = re.compile(r"\b(?:per|a|each|every|/) ?(?:second|minute|hour)\b", re.IGNORECASE)
_LASTING = re.compile(r"\b(?:daily|monthly)\b(?: \w+){0,3} (?:quota|limit|cap)\b", re.IGNORECASE)


def limit_in_place(finding: Finding, findings: list[Finding], sight: Sight, said: str) -> Cause | None:
    """What the status and the sentences make of a limit, where that is something else."""
    cause, spoken = finding.cause, finding.rule.startswith("text/")
    rules = {one.rule for one in findings}
    if cause is Cause.RATE_LIMITED:
        # A code of throttling beside a sentence about the day or the month, as AWS SES answers.
        lasting = finding.rule.startswith("pack.") and _LASTING.search(said) is not None
        return Cause.QUOTA if lasting and "text/rate_limited" not in rules else None
    if sight.status != 429:
        return None
    if cause is not Cause.QUOTA:
        return Cause.RATE_LIMITED if spoken else None
    if _SHORT.search(said) or (not spoken and "text/rate_limited" in rules and "text/quota" not in rules):
        return Cause.RATE_LIMITED
    return None
