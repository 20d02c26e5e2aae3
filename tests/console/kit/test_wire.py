"""What comes in is closed and strict, and a refusal names each field that is wrong."""

import json
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from console.kit.wire import Inbound, Malformed, Moment, Word


class Wish(Inbound):
    seat: str
    row: int = 1


def test_every_wrong_field_is_named_at_once():
    with pytest.raises(Malformed) as caught:
        Wish.read(b'{"row": "1", "colour": "red"}')
    told = {(error.field, error.code) for error in caught.value.errors}
    assert told == {("seat", "MISSING"), ("row", "INT_TYPE"), ("colour", "EXTRA_FORBIDDEN")}


def test_the_document_has_the_one_shape():
    with pytest.raises(Malformed) as caught:
        Wish.read(b'{"seat": 7}')
    assert caught.value.document() == {
        "code": "MALFORMED",
        "detail": "The request body does not match the contract.",
        "errors": [
            {
                "code": "STRING_TYPE",
                "field": "seat",
                "constraint": "Input should be a valid string",
                "received": 7,
                "hint": "Send a JSON string.",
            }
        ],
    }


@pytest.mark.parametrize("body", [b"", b"\xff\xfe", b"[1", b"nul", b'{"seat": "\\ud800"}', b"[" * 100_000])
def test_bytes_that_are_no_json_are_a_refusal_and_no_crash(body):
    with pytest.raises(Malformed):
        Wish.read(body)


def test_a_large_value_is_not_repeated_whole():
    with pytest.raises(Malformed) as caught:
        Wish.read(b'{"seat": {"a": 1, "b": 2}}')
    assert caught.value.errors[0].received == "an object of 2"


class Meal(StrEnum):
    FISH = "fish"


class Booking(Inbound):
    at: Moment
    meal: Word[Meal] | None = None
    row: int | None = None
    legroom: float | None = None
    extras: Any = None


values = st.sampled_from([
    "fish", "FISH", "meat", "", "2026-11-30T12:00:00Z", "2026-11-30T12:00:00.5+01:00", "2026-11-30T12:00:00",
    "2026-11-30", "1764504000", 1764504000, 1764504000.5, True, None, 7, 7.0, 7.5, "7", [], [1], {}, {"a": [1]},
])  # fmt: skip


@given(st.dictionaries(st.sampled_from(["at", "meal", "row", "legroom", "extras", "more"]), values))
def test_parsed_json_is_taken_and_refused_as_its_bytes_are(said):
    assert taken(Booking.model_validate, said) == taken(Booking.model_validate_json, json.dumps(said))


def taken(read, said):
    try:
        return read(said)
    except ValidationError as exc:
        return {error["loc"] for error in exc.errors()}


def test_a_moment_is_described_as_a_time():
    assert TypeAdapter(Moment).json_schema() == {"type": "string", "format": "date-time"}
