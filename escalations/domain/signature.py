"""Signed messages to an agent's webhook, as Standard Webhooks has them: id, time and body under one HMAC."""

from datetime import datetime, timedelta

from console.kit.signature import headers

__all__ = ["headers", "next_try"]

FIRST_PAUSE = timedelta(seconds=5)
LONGEST_PAUSE = timedelta(hours=2)
MOST_TRIES = 20  # a day and a half; after it somebody has to ask for another


def next_try(tries: int, *, at: datetime) -> datetime | None:
    """Give when to try again after so many failures, None when it is time to give up."""
    if tries >= MOST_TRIES:
        return None
    return at + min(FIRST_PAUSE * (1 << (tries - 1)), LONGEST_PAUSE)
