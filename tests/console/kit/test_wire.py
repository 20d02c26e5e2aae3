"""What comes in is closed and strict, and a refusal names each field that is wrong."""

import pytest

from console.kit.wire import Inbound, Malformed


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
