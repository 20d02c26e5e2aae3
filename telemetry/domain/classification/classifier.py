"""The order of evidence: which of the things seen decides the class."""

from telemetry.domain.classification.evidence import Classification, Evidence, Retryable, Verdict
from telemetry.domain.classification.version import VERSION


def classify(evidence: Evidence) -> Classification:
    """The failure class of one call. Never raises, whatever the evidence holds."""
    status = evidence.http_status if isinstance(evidence.http_status, int) else 0
    verdict = Verdict.SUCCESS
    if status in {408, 425, 429, 500, 502, 503, 504}:
        verdict = Verdict.TRANSIENT
    elif status in {400, 422}:
        verdict = Verdict.INVALID_ARGS
    elif status >= 400:
        verdict = Verdict.HARD
    elif evidence.exception or evidence.exit_code:
        verdict = Verdict.INTERNAL
    retryable = Retryable.YES if verdict is Verdict.TRANSIENT else Retryable.NO
    return Classification(
        verdict=verdict, retryable=retryable, rule=f"http/{status}", confidence=0.3, version=VERSION
    )
