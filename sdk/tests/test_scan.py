import json

import pytest

from switchboard._clean import Cleaner
from switchboard._scan import Scan, suspicious


@pytest.fixture
def scan():
    return Scan(Cleaner().is_secret)


def test_a_small_tree_of_plain_values_under_innocent_names_needs_no_second_look(scan):
    value = {"args": {"seat": "12A", "n": [1, 2.5, None, True, {"x": ("y",)}]}}
    assert scan.plain(value)
    assert scan.plain(value)


@pytest.mark.parametrize(
    "value",
    [
        {"args": {"password": 1}},
        {"args": [{"deep": {"api_key": "x"}}]},
        {"args": object()},
        {"args": (each for each in ())},
        {"args": {1: "x"}},
        {"args": list(range(201))},
        {"args": [[] for _ in range(200)] * 1, "more": [[[] for _ in range(150)] for _ in range(4)]},
    ],
)
def test_anything_else_is_looked_at_value_by_value(scan, value):
    assert not scan.plain(value)


def test_a_name_that_was_secret_once_stays_secret(scan):
    assert [scan.plain({"token": 1}) for _ in range(3)] == [False] * 3


@pytest.mark.parametrize(
    "text", ["Bearer abc", "bearer abc", "sb_abcdefgh_x", "sk-abc", "4111 1111-1111 1111"]
)
def test_what_may_be_a_credential_is_suspicious(text):
    assert suspicious(json.dumps({"note": text}).encode())


def test_ordinary_texts_and_times_are_not_suspicious():
    text = json.dumps(
        {"at": "2030-01-01T09:00:00.123456+00:00", "ticket": "781-2345678901", "ms": 12.345}
    ).encode()
    assert not suspicious(text)
