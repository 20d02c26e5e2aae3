"""Latencies as counts of logarithmic bins: percentiles within one percent, from sums that merge exactly.

The idea is DDSketch's (Masson, Rim, Lee 2019): bin i holds the values in (γ^(i-1), γ^i], and 2γ^i/(γ+1) is at most
1 % from every one of them. All bins of a sketch are lanes of 32 bits in one integer: merging is adding two integers,
a correction subtracts as exactly as a report adds, and neither looks at the bins one by one.
"""

import math
import sys
from array import array
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import accumulate

ERROR = 0.01
GAMMA = (1 + ERROR) / (1 - ERROR)
LEAST_MS = 0.001  # what is shorter counts as this long
EMPTY = 0
_LOG_GAMMA = math.log(GAMMA)
_MIDDLE = 2 / (GAMMA + 1)
_LANE = 32
_LOWEST = math.ceil(math.log(LEAST_MS) / _LOG_GAMMA)
_HEAD = 2  # bytes: the number of empty lanes that are left out at the low end


def bin_of(milliseconds: float) -> int:
    """Give the bin of a latency."""
    return math.ceil(math.log(max(milliseconds, LEAST_MS)) / _LOG_GAMMA)


def value_of(index: int) -> float:
    """Give the latency in milliseconds that stands for a bin."""
    return _MIDDLE * GAMMA**index


def one(milliseconds: float) -> int:
    """Give the sketch of a single latency."""
    return 1 << ((bin_of(milliseconds) - _LOWEST) * _LANE)


def of_bins(counts: Mapping[int, int]) -> int:
    """Give the sketch of counts by bin; what is taken away counts below zero."""
    return sum(count << ((index - _LOWEST) * _LANE) for index, count in counts.items())


def pack(sketch: int) -> bytes:
    """Give a sketch as it is stored: without its empty lanes at both ends."""
    if sketch <= 0:
        return b""
    skipped = ((sketch & -sketch).bit_length() - 1) // _LANE
    lanes = sketch >> (skipped * _LANE)
    length = -(-lanes.bit_length() // _LANE) * (_LANE // 8)
    return skipped.to_bytes(_HEAD, "little") + lanes.to_bytes(length, "little")


def unpack(stored: bytes) -> int:
    """Read a sketch back."""
    if not stored:
        return EMPTY
    skipped = int.from_bytes(stored[:_HEAD], "little")
    return int.from_bytes(stored[_HEAD:], "little") << (skipped * _LANE)


def merged(stored: Sequence[bytes]) -> int:
    """Read many and merge them: each is moved only as far as it begins above the lowest, which saves half of the work."""
    found = [(int.from_bytes(one[:_HEAD], "little"), one) for one in stored if one]
    lowest = min((skipped for skipped, _ in found), default=0)
    lanes = 0
    for skipped, one in found:
        lanes += int.from_bytes(one[_HEAD:], "little") << ((skipped - lowest) * _LANE)
    return lanes << (lowest * _LANE)


def bins(sketch: int) -> dict[int, int]:
    """Give the counts by bin, lowest first."""
    first, lanes = _lanes(sketch)
    return {first + place: count for place, count in enumerate(lanes) if count}


def summary(sketch: int, *wanted: float) -> tuple[int, tuple[float | None, ...]]:
    """Give how many latencies there are, and quantiles of them in milliseconds (nearest rank); None of nothing."""
    first, lanes = _lanes(sketch)
    upto = list(accumulate(lanes))
    if not upto:
        return 0, (None,) * len(wanted)
    whole = upto[-1]
    ranks = [max(1, math.ceil(q * whole)) for q in wanted]
    return whole, tuple(value_of(first + bisect_left(upto, rank)) for rank in ranks)


def quantiles(sketch: int, *wanted: float) -> tuple[float | None, ...]:
    """Give quantiles in milliseconds."""
    return summary(sketch, *wanted)[1]


def quantile(sketch: int, q: float) -> float | None:
    """Give one quantile in milliseconds."""
    return quantiles(sketch, q)[0]


def count(sketch: int) -> int:
    """Count the latencies in a sketch."""
    return summary(sketch)[0]


def _lanes(sketch: int) -> tuple[int, Sequence[int]]:
    """Give the lowest bin that is not empty, and the counts from it to the highest."""
    stored = pack(sketch)
    if not stored:
        return 0, ()
    lanes = array("I", stored[_HEAD:])
    if sys.byteorder == "big":
        lanes.byteswap()
    return _LOWEST + int.from_bytes(stored[:_HEAD], "little"), lanes
