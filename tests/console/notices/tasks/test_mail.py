"""A message as mail, to a real server on this machine."""

import uuid

import pytest

from console.notices.domain.words import Words
from console.notices.queries.shapes import Item, Outgoing
from console.notices.tasks.mail import send_mail
from tests.factories import NOON
from tests.receivers import MailReceiver

HOSTILE = "Refund\r\nBcc: all@example.com https://evil.example <b>\u202enow"


def item(**words):
    return Item(
        notice_id=uuid.uuid4(), topic="case_opened", subject_key="case:1", urgency="normal", at=NOON,
        words={"ref": "C-7", "title": "Refund twice?", "tool": "refund"} | words, link="/cases/C-7/",
    )  # fmt: skip


def message(*items, kind="email", address="ana@example.com", language="en", secret=""):
    return Outgoing(
        message_id=uuid.UUID(int=7), attempt_id=1, channel_id=1, kind=kind, address=address, secret=secret,
        language=language, items=items or (item(),),
    )  # fmt: skip


@pytest.fixture
def mail(settings):
    with MailReceiver() as receiver:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", receiver.port
        settings.PUBLIC_URL = "https://desk.example.com"
        yield receiver


def test_a_mail_says_what_and_where_and_has_an_id_that_stays(mail):
    assert send_mail(message()) == ""
    assert send_mail(message()) == ""
    first, second = mail.mails
    assert first["Subject"] == "[Switchboard] C-7 needs a decision: Refund twice?"
    assert "https://desk.example.com/cases/C-7/" in first.get_content()
    assert first["Message-ID"] == second["Message-ID"] == f"<{uuid.UUID(int=7)}@switchboard>"
    assert first["Auto-Submitted"] == "auto-generated"


def test_a_hostile_title_adds_no_recipient_no_header_and_no_link(mail):
    assert send_mail(message(item(**Words(title=HOSTILE).kept()))) == ""
    assert mail.envelopes == [["ana@example.com"]]
    (got,) = mail.mails
    assert got["Bcc"] is None
    assert "https://evil" not in got.get_content()
    assert "\u202e" not in got.get_content()
    assert got.get_content_type() == "text/plain"


def test_many_notices_are_one_mail(mail):
    assert send_mail(message(item(ref="C-1"), item(ref="C-2"))) == ""
    (got,) = mail.mails
    assert got["Subject"] == "[Switchboard] 2 notices"
    assert "C-1" in got.get_content()
    assert "C-2" in got.get_content()


def test_a_mail_is_in_the_readers_language(mail):
    assert send_mail(message(language="zh-hans")) == ""
    assert "C-7 等人决定" in mail.mails[0]["Subject"]


def test_without_a_server_or_with_one_that_refuses_the_fault_is_told(mail, settings):
    settings.EMAIL_HOST = ""
    assert "EMAIL_HOST" in send_mail(message())
    with MailReceiver(refuse=True) as refusing:
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", refusing.port
        assert send_mail(message()).startswith("SMTPRecipientsRefused")
    assert "refused" in send_mail(message()).lower()
