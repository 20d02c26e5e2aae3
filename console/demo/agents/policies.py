"""How patiently each kind of tool is called, what rules put right by themselves, and when breakers open."""

from collections.abc import Mapping
from dataclasses import replace

import switchboard as sb

SEAT_WORDS = {"靠窗": "window", "靠过道": "aisle", "中间": "middle", "都可以": "any"}

# Retries of reads and of writes under a key that the service honours; a transaction is never sent twice by itself.
POLICIES: Mapping[str, sb.Policy] = {
    "flight_search": sb.Policy(attempts=4, timeout_s=5, backoff="fixed", base_s=1),
    "second": sb.Policy(attempts=2, timeout_s=5, base_s=0.5),
    "fast_external": sb.Policy(attempts=3, timeout_s=5),
    "internal_api": sb.Policy(attempts=3, timeout_s=2, base_s=0.1, cap_s=2),
    "optional": sb.Policy(attempts=2, timeout_s=2, base_s=0.3),
    "booking": sb.Policy(attempts=2, timeout_s=4, base_s=0.3),
    "seat_selection": sb.Policy(attempts=2, timeout_s=3, backoff="fixed", base_s=0),
    "points_query": sb.Policy(attempts=3, timeout_s=5, backoff="exponential", base_s=1, cap_s=4),
    "upgrade": sb.Policy(attempts=1, timeout_s=10, person_at_once=True),
    "payment": sb.Policy(attempts=1, timeout_s=6),
    "payment_back": sb.Policy(attempts=2, timeout_s=6),
}
REPAIRS = (
    sb.Repair("seat-words/2", "seat_pref", values=SEAT_WORDS),
    sb.Repair("cabin-words/1", "cabin", values={"商务舱": "business", "超级经济舱": "premium"}),
)
BREAKER = sb.BreakerPolicy(failure_rate=0.5, min_calls=5, window_s=15, open_s=6, longest_open_s=20)


def at_pace(pace: float) -> dict[str, sb.Policy]:
    """The table with every time scaled: 1 is real, 0.1 is ten times faster, for a test."""
    return {
        name: replace(
            policy,
            timeout_s=policy.timeout_s * pace,
            base_s=policy.base_s * pace,
            cap_s=policy.cap_s * pace,
            grace_s=policy.grace_s * pace,
        )
        for name, policy in POLICIES.items()
    }
