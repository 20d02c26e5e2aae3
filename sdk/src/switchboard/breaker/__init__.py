"""The circuit breaker of one dependency."""

from switchboard.breaker.core import Breaker
from switchboard.breaker.policy import BreakerPolicy, Forced, Permit, Rejection

__all__ = ["Breaker", "BreakerPolicy", "Forced", "Permit", "Rejection"]
