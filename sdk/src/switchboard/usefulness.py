"""Whether a tool call is worth making: Toolformer's criterion (arXiv 2302.04761, section 2), now or over old traces.

A call is kept when knowing its result makes the model's next tokens likelier by at least `tau` than the better of not
calling at all and calling without looking at the result.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

TAU = 1.0
_FALL = 0.2  # the weight a token loses per place: five tokens count, the first one most


@dataclass(frozen=True, slots=True)
class Likelihoods:
    """The model's log-probabilities of the tokens that follow the place of the call, in three readings of the prompt."""

    without: Sequence[float]
    called: Sequence[float]
    answered: Sequence[float]

    @property
    def gain(self) -> float:
        """How much the result helps, in nats."""
        return min(loss(self.without), loss(self.called)) - loss(self.answered)

    def worth_it(self, tau: float = TAU) -> bool:
        """Whether to make the call."""
        return self.gain >= tau


@dataclass(frozen=True, slots=True)
class Usefulness:
    """One tool over many traces: how many calls, how many of them helped, and by how much on average."""

    tool: str
    calls: int
    useful: int
    mean_gain: float | None

    @property
    def rate(self) -> float:
        """The share of calls that helped."""
        return self.useful / self.calls


def loss(logprobs: Sequence[float]) -> float:
    """The weighted negative log-likelihood of the tokens."""
    weights = [max(0.0, 1 - _FALL * place) for place in range(len(logprobs))]
    whole = sum(weights)
    return (
        -sum(weight * value for weight, value in zip(weights, logprobs, strict=True)) / whole
        if whole
        else 0.0
    )


def report(traces: Iterable[Mapping[str, Any]], *, tau: float = TAU) -> tuple[Usefulness, ...]:
    """Judge old calls, the least useful tool first.

    Each trace names its `tool` and has either `likelihoods` (a Likelihoods) or `used`: whether the reply or a later
    call used anything of the result.
    """
    gains: dict[str, list[float]] = defaultdict(list)
    verdicts: dict[str, list[bool]] = defaultdict(list)
    for trace in traces:
        seen = trace.get("likelihoods")
        if isinstance(seen, Likelihoods):
            gains[trace["tool"]].append(seen.gain)
            verdicts[trace["tool"]].append(seen.worth_it(tau))
        elif isinstance(trace.get("used"), bool):
            verdicts[trace["tool"]].append(trace["used"])
    found = [
        Usefulness(tool, len(all_), sum(all_), sum(gains[tool]) / len(gains[tool]) if gains[tool] else None)
        for tool, all_ in verdicts.items()
    ]
    return tuple(sorted(found, key=lambda each: (each.rate, each.tool)))
