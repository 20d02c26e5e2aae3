"""Sending a message as mail: plain text, one recipient, an id by which a doubled one is known."""

import smtplib

from django.conf import settings
from django.core.mail import EmailMessage
from django.utils import translation

from console.notices import wording
from console.notices.domain.words import plain, unlinked
from console.notices.queries.shapes import Outgoing


def send_mail(message: Outgoing) -> str:
    """Hand a message to the mail server; give what went wrong, blank when it was taken."""
    if not settings.EMAIL_HOST:
        return "EMAIL_HOST is not set: this server sends no mail."
    try:
        written(message).send()
    except (smtplib.SMTPException, OSError) as exc:
        return f"{type(exc).__name__}: {exc}"
    return ""


def written(message: Outgoing) -> EmailMessage:
    """Write the mail."""
    with translation.override(message.language):
        paragraphs = [_paragraph(wording.told(item)) for item in message.items]
        heading, foot = plain(wording.subject(message.items)), wording.foot()
    return EmailMessage(
        subject=f"[Switchboard] {heading}",
        body="\n\n".join([*paragraphs, f"-- \n{foot}\n"]),
        to=[message.address],
        headers={
            "Message-ID": f"<{message.message_id}@switchboard>",
            "X-Switchboard-Message": str(message.message_id),
            "Auto-Submitted": "auto-generated",  # no vacation notes, please
        },
    )


def _paragraph(told: wording.Told) -> str:
    quoted = [f"> {unlinked(part)}" for part in (told.title, told.aside) if part]
    return "\n".join([unlinked(told.headline), *quoted, told.url])
