"""From the evidence of one tool call to its failure class, without a framework."""

from telemetry.domain.classification.cases import classify_case
from telemetry.domain.classification.classifier import classify
from telemetry.domain.classification.evidence import (
    Classification,
    Evidence,
    Retryable,
    Verdict,
)
from telemetry.domain.classification.version import VERSION

__all__ = [
    "VERSION",
    "Classification",
    "Evidence",
    "Retryable",
    "Verdict",
    "classify",
    "classify_case",
]
