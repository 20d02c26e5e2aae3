"""The breakers of a process, one for each dependency, and their link to the console."""

import threading
from collections.abc import Mapping
from typing import Any, Protocol

from switchboard.breaker import Breaker, BreakerPolicy
from switchboard.clock import Clock
from switchboard.waiting import Budget
from switchboard.wire import BreakerEvent


class Link(Protocol):
    """Where breakers report and take orders: `client.breakers`."""

    def register(self, breaker: Any, /) -> object:
        """Put a breaker on the board."""
        ...

    def unregister(self, breaker: Any, /) -> object:
        """Take it off."""
        ...

    def report(self, event: BreakerEvent, /) -> object:
        """Tell of one transition."""
        ...


class Breakers:
    """Makes a breaker with its first use. Two tools on one dependency share it."""

    def __init__(
        self,
        policies: Mapping[str, BreakerPolicy],
        default: BreakerPolicy,
        *,
        clock: Clock,
        link: Link | None,
    ) -> None:
        self._policies = policies
        self._default = default
        self._clock = clock
        self._link = link
        self._breakers: dict[str, Breaker] = {}
        self._lock = threading.Lock()

    def of(self, dependency: str) -> Breaker:
        """The breaker of a dependency, made with its first use."""
        found = self._breakers.get(dependency)
        if found is not None:
            return found
        with self._lock:
            if dependency not in self._breakers:
                policy = self._policies.get(dependency, self._default)
                listener = self._link.report if self._link else None
                breaker = Breaker(dependency, policy, clock=self._clock, listener=listener)
                self._breakers[dependency] = breaker
                if self._link is not None:
                    self._link.register(breaker)
            return self._breakers[dependency]

    def known(self, dependency: str) -> Breaker | None:
        """The breaker, if anything has used it."""
        return self._breakers.get(dependency)

    def __iter__(self) -> Any:
        return iter(tuple(self._breakers.values()))

    def close(self) -> None:
        """Stop telling the console about them."""
        if self._link is not None:
            for breaker in self:
                self._link.unregister(breaker)


class Budgets:
    """The retry budgets, one for each dependency."""

    def __init__(self) -> None:
        self._budgets: dict[str, Budget] = {}

    def of(self, dependency: str) -> Budget:
        """The budget of a dependency, made with its first use."""
        found = self._budgets.get(dependency)
        return found if found is not None else self._budgets.setdefault(dependency, Budget())
