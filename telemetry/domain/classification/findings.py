"""One piece of evidence, as every reader gives it and the weighing takes it."""

from dataclasses import dataclass

from telemetry.domain.classification.causes import Cause
from telemetry.domain.classification.problem import Problem


@dataclass(frozen=True, slots=True)
class Finding:
    """One piece of evidence: a cause, how much it weighs (0 to 100), the rule that saw it and where."""

    cause: Cause
    weight: int
    rule: str
    problem: Problem | None = None
