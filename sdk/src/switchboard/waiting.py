"""When the next attempt may be made, if at all: backoff, what the service asked for, budgets and deadlines."""

import random
import threading
from collections.abc import Callable
from typing import NamedTuple

from switchboard.clock import Clock
from switchboard.policy import Policy

Uniform = Callable[[float, float], float]

_TOKENS = 10.0  # gRPC A6: full at ten, a retry needs more than half
_PER_FAILURE = 1.0
_PER_SUCCESS = 0.1
_RETRY_AFTER_JITTER = 0.1
_NEVER = float("inf")


class Wait(NamedTuple):
    """Sleep this long, then try again."""

    seconds: float
    told: bool = False


class Park(NamedTuple):
    """Do not wait here: the service, or the deadline, is further away than this call may last."""

    reason: str
    retry_after_s: float | None = None


def backoff_s(policy: Policy, n: int, *, uniform: Uniform = random.uniform) -> float:
    """The wait before retry `n` (1 is the first retry)."""
    if policy.backoff == "fixed":
        whole = min(policy.cap_s, policy.base_s)
    else:
        whole = min(policy.cap_s, policy.base_s * 2 ** min(n - 1, 62))
    if policy.backoff == "full_jitter":
        return uniform(0.0, whole)
    return whole - uniform(0.0, policy.jitter * whole)


def next_wait(
    policy: Policy, n: int, *, asked_s: float | None, left_s: float, uniform: Uniform = random.uniform
) -> Wait | Park:
    """What to do before retry `n` with `left_s` until the deadline, when the service asked for `asked_s`.

    What the service asked for is a floor plus jitter, never a reason to come earlier.
    """
    if asked_s is not None:
        wait = Wait(asked_s * (1 + uniform(0.0, _RETRY_AFTER_JITTER)), told=True)
        if asked_s > policy.longest_wait_s:
            return Park("retry_after", asked_s)
    else:
        wait = Wait(backoff_s(policy, n, uniform=uniform))
    if wait.seconds >= left_s:
        return Park("deadline", asked_s)
    return wait


class Budget:
    """The retry budget of one dependency: when most calls fail, retries stop and first attempts go on (gRPC A6)."""

    __slots__ = ("_lock", "_tokens")

    def __init__(self) -> None:
        self._tokens = _TOKENS
        self._lock = threading.Lock()

    @property
    def tokens(self) -> float:
        """What is left of ten."""
        return self._tokens

    def failed(self) -> None:
        """A retryable failure was seen."""
        with self._lock:
            self._tokens = max(0.0, self._tokens - _PER_FAILURE)

    def succeeded(self) -> None:
        """A call worked."""
        if self._tokens < _TOKENS:
            with self._lock:
                self._tokens = min(_TOKENS, self._tokens + _PER_SUCCESS)

    @property
    def allows_retry(self) -> bool:
        """Whether more than half is left."""
        return self._tokens > _TOKENS / 2


class Deadline:
    """A monotonic end shared by everything inside it. A nested one can only be nearer."""

    __slots__ = ("_clock", "at")

    def __init__(self, clock: Clock, seconds: float | None, *, within: "Deadline | None" = None) -> None:
        self._clock = clock
        self.at: float
        own = _NEVER if seconds is None else clock.monotonic() + seconds
        self.at = min(own, within.at) if within else own

    @property
    def left_s(self) -> float:
        """Seconds until the end; negative after it."""
        return self.at - self._clock.monotonic() if self.at < _NEVER else _NEVER

    @property
    def passed(self) -> bool:
        """Whether the time is over."""
        return self.left_s <= 0

    def push_back(self, seconds: float) -> None:
        """Time spent waiting for a person is not the tools' time."""
        self.at += seconds
