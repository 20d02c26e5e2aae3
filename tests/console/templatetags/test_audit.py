"""What stands beside a verb of the audit reads as words, whoever wrote it."""

import re
from pathlib import Path

import pytest

from console.templatetags.audit import audit_detail, audit_place
from escalations.pages.audit_words import VERBS
from telemetry.vocabulary import CommandVerb

ROOT = Path(__file__).parents[3]
EVIL = "<script>alert(1)</script>"


def plain(detail):
    return re.sub(r"<[^>]+>", "", audit_detail(detail))


def test_a_detail_is_pairs_of_words_without_braces():
    told = {"reason": "vendor is down", "instances": ["a", "b"], "expires_at": "2020-11-30T12:00:00+00:00"}
    assert plain(told) == "reason vendor is down, instances a, b, until 30 Nov 2020 12:00"


def test_what_is_empty_says_nothing():
    assert audit_detail({"people": [], "queue": "", "owner_id": None}) == ""
    assert audit_detail({}) == ""


@pytest.mark.parametrize("detail", [{EVIL: EVIL}, {"name": [EVIL]}, {"x": {EVIL: EVIL}}, EVIL])
def test_nothing_in_a_detail_becomes_markup(detail):
    assert "<script>" not in audit_detail(detail)


def test_a_redacted_value_does_not_tell_its_reference():
    assert plain({"card": {"$ref": "secret-7"}}) == "card redacted"


def test_no_detail_is_without_end():
    assert len(plain({f"k{n}": "v" * 1_000 for n in range(100)})) < 3_000


def test_every_verb_that_is_recorded_about_facts_and_people_has_its_word():
    written = {
        verb
        for room in ("console", "telemetry")
        for path in (ROOT / room).rglob("operations*/*.py")
        for verb in re.findall(r'verb="([a-z_]+)"', path.read_text())
    }
    people = (ROOT / "console/people/operations.py").read_text()
    written |= set(re.findall(r'verb="([a-z_]+)"', people)) | set(map(str, CommandVerb))
    assert {"key_made", "password_set", "force_open"} <= written
    assert written - set(VERBS) == set()


@pytest.mark.parametrize(
    ("subject", "place"),
    [
        ("case:12", "/cases/C-12/"),
        ("policy:big refunds", "/policies/big%20refunds/"),
        ("breaker:pay-api", "/breakers/pay-api/"),
        ("policy:a/b", ""),
        ("agent:3", ""),
        ("nonsense", ""),
    ],
)
def test_what_an_entry_is_about_leads_to_its_page_where_it_has_one(subject, place):
    assert audit_place(subject) == place
