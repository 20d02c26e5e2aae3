"""Sending a message by HTTP: small blocks for Slack and what understands the same, signed JSON for everything else."""

from datetime import datetime
from typing import Any

import orjson
from django.conf import settings
from django.utils import translation

from console.kit import outbound, signature
from console.notices import wording
from console.notices.domain.words import for_slack
from console.notices.queries.shapes import Item, Outgoing
from console.notices.vocabulary import ChannelKind

MOST_BLOCKS = 15  # notices; Slack takes 50 blocks


def send_post(message: Outgoing, *, at: datetime) -> str:
    """Post a message; give what went wrong, blank when it was taken."""
    with translation.override(message.language):
        body = orjson.dumps(_slack(message) if message.kind == ChannelKind.SLACK else _signed(message))
    headers = _headers(message, body, at)
    with outbound.client() as http:
        return outbound.post(
            http, message.address, body=body, headers=headers, networks=settings.WEBHOOK_NETWORKS
        )


def _headers(message: Outgoing, body: bytes, at: datetime) -> dict[str, str]:
    name = str(message.message_id)
    if message.kind == ChannelKind.WEBHOOK:
        return signature.headers(message_id=name, body=body, secret=message.secret, at=at)
    return {"content-type": "application/json", "webhook-id": name}


def _slack(message: Outgoing) -> dict[str, Any]:
    """Write blocks of plain text; `text` is what servers without blocks show, so nothing in it is markup."""
    told = [wording.told(item) for item in message.items]
    lines = [f"{for_slack(one.line)} <{one.url}>" for one in told]
    return {
        "text": "\n".join(lines),
        "unfurl_links": False,
        "blocks": [block for one in told[:MOST_BLOCKS] for block in _blocks(one)],
    }


def _blocks(told: wording.Told) -> list[dict[str, Any]]:
    words = "\n".join(part for part in (told.headline, told.title, told.aside) if part)
    text = {"type": "plain_text", "text": words[:3000], "emoji": False}
    return [{"type": "section", "text": text}, _link(told.url)]


def _link(url: str) -> dict[str, Any]:
    return {"type": "context", "elements": [{"type": "mrkdwn", "text": f"<{url}>"}]}


def _signed(message: Outgoing) -> dict[str, Any]:
    return {
        "type": "notices",
        "message_id": str(message.message_id),
        "notices": [_notice(item) for item in message.items],
    }


def _notice(item: Item) -> dict[str, Any]:
    told = wording.told(item)
    return {
        "id": str(item.notice_id),
        "topic": item.topic,
        "urgency": item.urgency,
        "subject": item.subject_key,
        "at": item.at.isoformat(),
        "text": told.headline,
        "url": told.url,
        **item.words,
    }
