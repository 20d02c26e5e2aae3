"""Signed messages to an agent's webhook, as Standard Webhooks has them: id, time and body under one HMAC."""

import base64
import hashlib
import hmac
from datetime import datetime, timedelta

FIRST_PAUSE = timedelta(seconds=5)
LONGEST_PAUSE = timedelta(hours=2)
MOST_TRIES = 20  # a day and a half; after it somebody has to ask for another


def headers(*, message_id: str, body: bytes, secret: str, at: datetime) -> dict[str, str]:
    """Give the headers by which the receiver knows who sent what, and that it is no replay."""
    stamp = str(int(at.timestamp()))
    signed = f"{message_id}.{stamp}.".encode() + body
    mac = hmac.new(secret.encode(), signed, hashlib.sha256).digest()
    return {
        "content-type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": stamp,
        "webhook-signature": f"v1,{base64.b64encode(mac).decode()}",
    }


def next_try(tries: int, *, at: datetime) -> datetime | None:
    """Give when to try again after so many failures, None when it is time to give up."""
    if tries >= MOST_TRIES:
        return None
    return at + min(FIRST_PAUSE * (1 << (tries - 1)), LONGEST_PAUSE)
