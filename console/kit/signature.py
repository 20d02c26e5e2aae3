"""Signed messages to somebody's server, as Standard Webhooks has them: id, time and body under one HMAC."""

import base64
import hashlib
import hmac
from datetime import datetime


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
