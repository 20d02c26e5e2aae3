"""A message by HTTP, to a real server on this machine."""

import base64
import hashlib
import hmac
import ipaddress
import json
import uuid

import pytest

from console.notices.tasks.posts import send_post
from tests.console.notices.tasks.test_mail import item, message
from tests.factories import NOON
from tests.receivers import HttpReceiver

HOSTILE = "<!channel> *pay* @here `x` https://evil.example/?a=1 [a](b)"


@pytest.fixture(autouse=True)
def here(settings):
    settings.WEBHOOK_NETWORKS = [ipaddress.ip_network("127.0.0.0/8")]
    settings.PUBLIC_URL = "https://desk.example.com"


def posted(kind, *items, language="en", status=204):
    with HttpReceiver(status) as receiver:
        made = message(*items, kind=kind, address=receiver.url, language=language, secret="s3cret")
        fault = send_post(made, at=NOON)
    return fault, receiver.got[0]


def test_slack_gets_plain_text_and_one_link_to_the_case():
    fault, got = posted("slack")
    body = json.loads(got.body)
    assert (fault, got.headers["content-type"]) == ("", "application/json")
    assert (
        body["text"] == "C-7 needs a decision · Refund twice? · refund <https://desk.example.com/cases/C-7/>"
    )
    section, link = body["blocks"]
    assert section["text"] == {
        "type": "plain_text",
        "text": "C-7 needs a decision\nRefund twice?\nrefund",
        "emoji": False,
    }
    assert link["elements"] == [{"type": "mrkdwn", "text": "<https://desk.example.com/cases/C-7/>"}]


def test_a_hostile_title_is_nothing_but_text_to_slack():
    _fault, got = posted("slack", item(title=HOSTILE, tool="<@U1>"))
    body = json.loads(got.body)
    said = body["text"].removesuffix(" <https://desk.example.com/cases/C-7/>")
    assert not any(sign in said for sign in "<>*`[]")
    assert "://" not in said
    assert "@here" not in said
    marked = [block for block in body["blocks"] if "mrkdwn" in json.dumps(block)]
    assert "evil" not in json.dumps(marked)


def test_a_long_digest_stays_within_what_slack_takes():
    _fault, got = posted("slack", *[item(ref=f"C-{number}") for number in range(50)])
    assert len(json.loads(got.body)["blocks"]) <= 50


def test_the_signed_webhook_can_be_checked_and_holds_no_more_than_the_words():
    fault, got = posted("webhook")
    assert fault == ""
    name, stamp = got.headers["webhook-id"], got.headers["webhook-timestamp"]
    mac = hmac.new(b"s3cret", f"{name}.{stamp}.".encode() + got.body, hashlib.sha256).digest()
    assert got.headers["webhook-signature"] == "v1," + base64.b64encode(mac).decode()
    (told,) = json.loads(got.body)["notices"]
    assert set(told) == {"id", "topic", "urgency", "subject", "at", "text", "url", "ref", "title", "tool"}
    assert (told["url"], name) == ("https://desk.example.com/cases/C-7/", str(uuid.UUID(int=7)))


def test_the_text_is_in_the_channels_language():
    _fault, got = posted("slack", language="zh-hans")
    assert "C-7 等人决定" in json.loads(got.body)["text"]


@pytest.mark.parametrize("status", [301, 404, 500])
def test_whatever_is_no_2xx_is_a_fault(status):
    assert posted("webhook", status=status)[0] == f"HTTP {status}"


def test_an_address_inside_is_not_posted_to(settings):
    settings.WEBHOOK_NETWORKS = []
    with HttpReceiver() as receiver:
        fault = send_post(message(kind="slack", address=receiver.url), at=NOON)
    assert "WEBHOOK_NETWORKS" in fault
    assert receiver.got == []
