"""One cause is one fingerprint; two causes are two; nothing random gets into a template."""

import re
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telemetry.domain.fingerprints import (
    OTHERS,
    TEMPLATE,
    Cause,
    Rule,
    fingerprint,
    others,
    pieces,
    rule_for,
    sentence,
    template,
)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("token expired at 2026-11-30T13:18:00Z for acct_81Kd", "token expired at <time> for <id>"),
        ("no answer in 10 s", "no answer in <duration>"),
        ("no answer in 10.02s", "no answer in <duration>"),
        ("user 4711 not found", "user <n> not found"),
        ('value "靠窗" is not one of "window", "aisle"', "value <quoted> is not one of <quoted>"),
        ("GET https://api.example.com/v1/x?id=9 failed with 503", "GET <url> failed with 503"),
        ("cannot reach 10.0.0.12:5432", "cannot reach <ip>"),
        (f"order {uuid.UUID(int=7)} is closed", "order <uuid> is closed"),
        ("mail to ana@example.com bounced", "mail to <email> bounced"),
        ("open /var/lib/app/data.db: permission denied", "open <path>: permission denied"),
        ("object at 0x7f0715ec0350 has no attribute 'x'", "object at <address> has no attribute <quoted>"),
        ("ids 4, 7, 19 are gone", "ids <n> are gone"),
        ("航班 CA1837 于 2026年12月24日 取消", "航班 <id> 于 <date> 取消"),
        ("  too   many\n spaces ", "too many spaces"),
        (
            "rate limit of 100 exceeded, retry in 30 seconds",
            "rate limit of <n> exceeded, retry in <duration>",
        ),
        ("E11000 duplicate key", "<id> duplicate key"),
        ("", ""),
    ],
)
def test_what_varies_is_replaced_by_what_it_was(message, expected):
    assert template(message) == expected


CAUSE = Cause("points.query", "hard", "UNAUTHORIZED", "token expired at 13:18:02 for acct_81Kd")


def test_the_same_cause_with_other_values_is_the_same_fingerprint():
    other = Cause("points.query", "hard", "UNAUTHORIZED", "token expired at 19:01:55 for acct_x99")
    assert fingerprint(CAUSE) == fingerprint(other)
    assert len(fingerprint(CAUSE).hex) == 16


@pytest.mark.parametrize(
    "other",
    [
        Cause("points.book", "hard", "UNAUTHORIZED", CAUSE.message),
        Cause("points.query", "transient", "UNAUTHORIZED", CAUSE.message),
        Cause("points.query", "hard", "FORBIDDEN", CAUSE.message),
        Cause("points.query", "hard", "UNAUTHORIZED", "token was revoked"),
        Cause("points.query", "hard", "UNAUTHORIZED", CAUSE.message, exception="AuthError"),
        Cause("points.query", "hard", "UNAUTHORIZED", CAUSE.message, field="member_no"),
    ],
)
def test_another_cause_is_another_fingerprint(other):
    assert fingerprint(CAUSE).id != fingerprint(other).id


def test_a_persons_rule_comes_first():
    rule = Rule("token expired", "the points token")
    one = fingerprint(CAUSE, rules=[Rule("nothing", "no"), rule])
    assert one.template == "the points token"
    assert fingerprint(CAUSE, rules=[Rule("token expired", "x", tool="pay")]) == fingerprint(CAUSE)


def test_too_many_messages_are_told_together():
    assert others(CAUSE).template == OTHERS
    assert others(CAUSE).id != fingerprint(CAUSE).id


@given(st.text(max_size=400))
def test_any_text_has_a_short_template(text):
    made = fingerprint(Cause("t", "hard", "X", text))
    assert len(made.template) <= TEMPLATE
    assert 0 <= made.id < 2**63


@given(st.integers(10_000, 10**12), st.uuids(), st.datetimes())
def test_no_number_time_or_id_gets_into_a_template(number, name, at):
    first = template(f"order {number} of {name} at {at.isoformat()}")
    assert first == "order <n> of <uuid> at <time>"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"failure": {"message": "said so"}, "evidence": {"body": "no"}}, "said so"),
        ({"evidence": {"exception": {"type": "E", "message": "raised"}}}, "raised"),
        ({"evidence": {"body": {"error": {"message": "inner", "code": 3}}}}, "inner"),
        ({"evidence": {"body": {"errors": [{"detail": "first"}, {"detail": "second"}]}}}, "first"),
        ({"evidence": {"body": {"error": "invalid_grant", "error_description": "expired"}}}, "expired"),
        ({"evidence": {"body": "plain text"}}, "plain text"),
        ({"evidence": {"body": [1, 2]}, "verdict": {"constraint": "window|aisle"}}, "window|aisle"),
        ({"evidence": {"stderr": "boom"}}, "boom"),
        ({}, ""),
    ],
)
def test_the_sentence_is_found_where_apis_put_it(said, expected):
    assert sentence(said) == expected


@pytest.mark.parametrize("value", ["靠窗", "靠过道但不要最后一排", "by the window"])
def test_the_value_that_was_refused_varies_wherever_it_stands(value):
    said = f"The value {value} of seat_pref is not one of window, aisle."
    made = fingerprint(Cause("seat.select", "invalid_args", "ENUM", said, field="seat_pref", received=value))
    assert made.template == "seat_pref: The value <received> of seat_pref is not one of window, aisle."


def test_a_refused_value_that_names_the_field_or_nothing_takes_nothing_out():
    said = "seat is not a seat"
    for value in ("seat", "", "s"):
        made = fingerprint(Cause("t", "invalid_args", "X", said, field="seat", received=value))
        assert made.template == "seat: seat is not a seat"


def test_of_two_rules_the_one_that_says_more_holds():
    merged, split = Rule("token", "tokens", id=1), Rule("token expired", "expired", id=2)
    assert rule_for("t", "token expired", [merged, split]) == split
    assert rule_for("t", "token revoked", [merged, split]) == merged
    assert (
        rule_for("t", "token", [Rule("token", "all", id=1), Rule("token", "its own", tool="t", id=2)]).id == 2
    )
    assert rule_for("t", "nothing", [merged, split]) is None


@given(st.text(max_size=300))
def test_the_pieces_of_a_message_are_the_message(text):
    shown = pieces(text)
    assert "".join(one.text for one in shown) == re.sub(r"\s+", " ", text[:300]).strip()


def test_pieces_say_what_each_was_taken_for():
    assert [(one.text, one.name) for one in pieces("order 4711 failed with 503 at 13:18:02")] == [
        ("order ", ""),
        ("4711", "n"),
        (" failed with 503 at ", ""),
        ("13:18:02", "time"),
    ]


@given(st.text(max_size=80), st.text(max_size=8))
def test_the_refused_value_is_a_piece_of_its_own(text, value):
    shown = pieces(text, value)
    assert "".join(one.text for one in shown) == re.sub(r"\s+", " ", text).strip()
    assert {one.text for one in shown if one.name == "received"} <= {value}
