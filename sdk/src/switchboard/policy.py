"""How often, how long and how patiently a kind of tool is called: a table, by name."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

Backoff = Literal["full_jitter", "fixed", "exponential"]


@dataclass(frozen=True, slots=True)
class Policy:
    """The recovery of one kind of tool. Times are seconds.

    `attempts` counts the first one. `timeout_s` is for one attempt and always set: a tool without a limit can hang a
    breaker's probe for ever. `full_jitter` waits uniform(0, min(cap, base * 2**(n-1))); `fixed` and `exponential`
    wait the stated time less up to `jitter` of it, so that no two callers wake together. A Retry-After beyond
    `longest_wait_s` is not slept through: the call is parked. `honours_key` says that the service itself deduplicates
    by our idempotency key, so that even a plain write may be sent again with the same key, until `key_retention_s`
    has passed. `person_at_once` hands every failure of the tool to a person.
    """

    attempts: int = 3
    timeout_s: float = 30.0
    backoff: Backoff = "full_jitter"
    base_s: float = 0.5
    cap_s: float = 8.0
    jitter: float = 0.2
    longest_wait_s: float = 60.0
    grace_s: float = 2.0
    slow_s: float | None = None
    honours_key: bool = False
    key_retention_s: float = 86_400.0
    person_at_once: bool = False

    def __post_init__(self) -> None:
        if self.attempts < 1:
            raise ValueError("attempts counts the first one: it is at least 1.")
        if self.timeout_s <= 0:
            raise ValueError("timeout_s must be positive: no tool runs without a limit.")
        if not 0 <= self.jitter <= 1:
            raise ValueError("jitter is a share of the wait, from 0 to 1.")


POLICIES: Mapping[str, Policy] = {
    "default": Policy(),
    "internal_cache": Policy(attempts=2, timeout_s=0.2, base_s=0.05, cap_s=0.2),
    "internal_api": Policy(attempts=3, timeout_s=2.0, base_s=0.1, cap_s=2.0),
    "fast_external": Policy(attempts=3, timeout_s=5.0),
    "slow_external": Policy(attempts=2, timeout_s=30.0, base_s=1.0),
    "flight_search": Policy(attempts=4, timeout_s=5.0, backoff="fixed", base_s=1.0),
    "seat_selection": Policy(attempts=2, timeout_s=3.0, backoff="fixed", base_s=0.0),
    "points_query": Policy(attempts=3, timeout_s=5.0, backoff="exponential", base_s=1.0, cap_s=4.0),
    "upgrade": Policy(attempts=1, timeout_s=10.0, person_at_once=True),
}


def table(overrides: Mapping[str, Policy | Mapping[str, object]] | None = None) -> dict[str, Policy]:
    """The named policies with a team's own rows over them; a mapping changes only the fields it names."""
    policies = dict(POLICIES)
    for name, row in (overrides or {}).items():
        if isinstance(row, Policy):
            policies[name] = row
        else:
            policies[name] = replace(policies.get(name, POLICIES["default"]), **row)  # type: ignore[arg-type]
    return policies
