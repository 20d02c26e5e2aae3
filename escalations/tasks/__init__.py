"""What happens by itself: sweeps over due rows and posts to webhooks."""

from escalations.tasks.posts import post_chains, post_decisions
from escalations.tasks.sweeps import (
    decide_by_policy,
    expire_overdue,
    follow_chains,
    free_lapsed_claims,
    notice_silence,
)

__all__ = [
    "decide_by_policy",
    "expire_overdue",
    "follow_chains",
    "free_lapsed_claims",
    "notice_silence",
    "post_chains",
    "post_decisions",
]
