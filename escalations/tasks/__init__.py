"""What happens by itself: sweeps over due rows and posts to webhooks."""

from escalations.tasks.posts import post_decisions
from escalations.tasks.sweeps import expire_overdue, free_lapsed_claims, notice_silence

__all__ = ["expire_overdue", "free_lapsed_claims", "notice_silence", "post_decisions"]
