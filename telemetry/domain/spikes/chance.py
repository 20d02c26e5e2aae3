"""How likely so many failures are by chance: the tail of a negative binomial, without numpy."""

import math

LEAST_SPREAD = 1.05


def tail(observed: int, expected: float, spread: float) -> float:
    """Give P(X ≥ observed) of a negative binomial with this mean and variance spread × mean."""
    if observed <= 0:
        return 1.0
    if expected <= 0:
        return 0.0
    spread = max(spread, LEAST_SPREAD)
    r = expected / (spread - 1)
    step = (spread - 1) / spread
    if observed <= expected:
        below = math.fsum(math.exp(_log_term(k, r, spread)) for k in range(observed))
        return max(0.0, 1.0 - below)
    term = math.exp(_log_term(observed, r, spread))
    total, k = term, observed
    while term > total * 1e-12:
        k += 1
        term *= step * (k - 1 + r) / k
        total += term
    return min(1.0, total)


def _log_term(k: int, r: float, spread: float) -> float:
    chances = math.lgamma(k + r) - math.lgamma(r) - math.lgamma(k + 1)
    return chances - r * math.log(spread) + k * math.log((spread - 1) / spread)
