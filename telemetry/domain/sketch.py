"""Latencies as counts of logarithmic bins: percentiles within one percent, from sums that merge exactly.

The idea is DDSketch's (Masson, Rim, Lee 2019): bin i holds the values in (γ^(i-1), γ^i], and 2γ^i/(γ+1) is at most
1 % from every one of them. Bins are counts, so a correction subtracts as exactly as a report adds.
"""

import math
from collections.abc import Iterable, Mapping

ERROR = 0.01
GAMMA = (1 + ERROR) / (1 - ERROR)
LEAST_MS = 0.001  # what is shorter counts as this long
_LOG_GAMMA = math.log(GAMMA)
_MIDDLE = 2 / (GAMMA + 1)

Bins = dict[int, int]


def bin_of(milliseconds: float) -> int:
    """Give the bin of a latency."""
    return math.ceil(math.log(max(milliseconds, LEAST_MS)) / _LOG_GAMMA)


def value_of(index: int) -> float:
    """Give the latency in milliseconds that stands for a bin."""
    return _MIDDLE * GAMMA**index


def merged(sketches: Iterable[Mapping[str, int]]) -> Bins:
    """Add sketches as they are stored, with text for bin numbers."""
    total: Bins = {}
    for sketch in sketches:
        for name, count in sketch.items():
            index = int(name)
            total[index] = total.get(index, 0) + count
    return total


def quantile(bins: Mapping[int, int], q: float) -> float | None:
    """Give the q-quantile in milliseconds (nearest rank), or None of nothing."""
    count = sum(bins.values())
    if count <= 0:
        return None
    rank = max(1, math.ceil(q * count))
    seen = 0
    for index in sorted(bins):
        seen += bins[index]
        if seen >= rank:
            return value_of(index)
    return None
