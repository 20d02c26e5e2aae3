"""Hostile text in a notice steers nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.notices.domain.words import Words, for_slack, inside, plain, unlinked


@given(st.text())
def test_plain_text_is_one_short_line_without_what_steers(text):
    told = plain(text)
    assert len(told) <= 200
    assert told == " ".join(told.split())
    assert not any(
        ord(char) < 32 or 0x7F <= ord(char) < 0xA0 or char in "\u202e\u2066\u200b\u2028" for char in told
    )
    told.encode("utf-8")


@given(st.text(alphabet="<>&@!*_~`|[]()hte:/#. \u3000a"))
def test_nothing_in_text_for_slack_is_markup_a_mention_or_a_link(text):
    told = for_slack(plain(text))
    assert "<" not in told
    assert ">" not in told
    assert "://" not in told
    assert not any(sign in told for sign in "*~`[]")
    assert "@" not in told.replace("@\u200b", "")


def test_the_words_of_slack_that_call_everybody_are_only_text():
    assert for_slack("<!channel> @here") == "&lt;!channel&gt; @\u200bhere"
    assert for_slack("refund_payment _now_") == "refund_payment \u02cdnow\u02cd"


def test_a_title_leads_nowhere():
    assert unlinked("see https://evil.example/x or www.evil.example") == (
        "see https\u2236//evil.example/x or www\u2024evil.example"
    )


def test_a_header_cannot_be_broken_out_of():
    assert plain("Refund\r\nBcc: all@example.com") == "Refund Bcc: all@example.com"


@pytest.mark.parametrize(
    "link", ["https://evil.example/", "//evil.example/", "/\\evil", "javascript:1", "/a b", "/" + "x" * 2000]
)
def test_a_link_that_leads_elsewhere_is_the_first_page(link):
    assert inside(link) == "/"


def test_a_link_to_a_page_of_ours_stays():
    assert inside("/cases/C-4182/?view=%E4%B8%AD") == "/cases/C-4182/?view=%E4%B8%AD"


def test_only_values_that_are_there_are_kept():
    assert Words(ref="C-1", title=" a\nb ").kept() == {"ref": "C-1", "title": "a b"}
