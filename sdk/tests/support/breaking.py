"""A quick breaker and ways to break it."""

import switchboard as sb
from switchboard.breaker import Breaker, Permit
from switchboard.vocabulary import BreakerState

QUICK = sb.BreakerPolicy(min_calls=2, open_s=10, longest_open_s=25, probes=1, successes=2, probe_s=30)


def permit(breaker: Breaker) -> Permit:
    got = breaker.acquire()
    assert isinstance(got, Permit)
    return got


def fail(breaker: Breaker, times: int = 1) -> None:
    for _ in range(times):
        breaker.failure(permit(breaker), 0.1, error="TIMEOUT")


def opened(breaker: Breaker) -> Breaker:
    fail(breaker, 2)
    assert breaker.state is BreakerState.OPEN
    return breaker
