import dataclasses
import json
from datetime import UTC, datetime
from decimal import Decimal
from enum import Enum
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, SecretStr

from switchboard._clean import HIDDEN, Cleaner

clean = Cleaner()


@pytest.mark.parametrize(
    "name",
    ["password", "Passwd", "api_key", "apiKey", "API-KEY", "Authorization", "authorisation_header", "access_token",
     "refreshToken", "client_secret", "set-cookie", "card", "cardNumber", "card_no", "cvv", "cvc", "iban", "ssn", "pin",
     "userPin", "otp", "private_key", "session_key", "x-signature", "credentials"],
)  # fmt: skip
def test_values_under_secret_names_are_hidden(name):
    assert clean.is_secret(name)
    assert clean({name: "x"}) == ({name: HIDDEN}, {"redacted"}, clean({name: "x"})[2])


@pytest.mark.parametrize(
    "name",
    [
        "passengers",
        "passport_country",
        "shopping",
        "opinion",
        "seat",
        "discard",
        "author",
        "key",
        "idempotency_key",
    ],
)
def test_names_that_only_look_alike_are_left_alone(name):
    assert clean({name: "x"})[0] == {name: "x"}


def test_a_secret_that_is_absent_or_a_flag_is_shown_as_such():
    assert clean({"token": None, "password": False})[0] == {"token": None, "password": False}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Authorization: Bearer abcdef0123456789", f"Authorization: {HIDDEN}"),
        ("key sb_abcdefgh_0123456789abcdef01 leaked", f"key {HIDDEN} leaked"),
        ("paid with 4111 1111 1111 1111 today", f"paid with {HIDDEN} today"),
        ("paid with 4111-1111-1111-1112 today", "paid with 4111-1111-1111-1112 today"),
        ("ticket 7812345678901", "ticket 7812345678901"),
    ],
)
def test_credentials_and_card_numbers_inside_texts_are_hidden(text, shown):
    assert clean(text)[0] == shown


def test_a_custom_list_of_names_takes_the_place_of_ours():
    own = Cleaner(secret_names="loyalty")
    assert own({"loyalty_no": 1, "password": "x"})[0] == {"loyalty_no": HIDDEN, "password": "x"}


def test_what_json_cannot_carry_is_neutralised_and_flagged():
    value, flags, _ = clean(
        {
            "nan": float("nan"),
            "inf": float("-inf"),
            "big": 2**60,
            "huge": 10**400,
            "half": "a\ud800b",
            "nul": "a\0b",
        }
    )
    assert value == {
        "nan": "nan",
        "inf": "-inf",
        "big": str(2**60),
        "huge": "about 2^1329",
        "half": "a?b",
        "nul": "a\ufffdb",
    }
    assert flags == {"not_finite", "big_integer"}


def test_values_of_many_kinds_become_plain_and_objects_only_their_type():
    class Colour(Enum):
        RED = "red"

    @dataclasses.dataclass
    class Point:
        x: int
        password: str = "p"
        hidden: int = dataclasses.field(default=1, repr=False)

    class Model(BaseModel):
        name: str = Field(alias="Name")
        empty: int | None = None
        secret: SecretStr = SecretStr("s")

    class Loud:
        def __repr__(self):
            raise AssertionError("a repr may run anybody's code")

    day = datetime(2030, 1, 1, tzinfo=UTC)
    seen = clean(
        [
            Colour.RED,
            Point(1),
            Model(Name="n"),
            day,
            Decimal("1.50"),
            UUID(int=1),
            {1},
            (1,),
            b"abc",
            Loud(),
            {3: 4},
        ]
    )[0]
    assert seen == [
        "red", {"x": 1, "password": HIDDEN}, {"Name": "n", "secret": HIDDEN}, day.isoformat(), "1.50", str(UUID(int=1)),
        [1], [1], "<3 bytes>", f"<{__name__}.{Loud.__qualname__}>", {"3": 4},
    ]  # fmt: skip


def test_nothing_is_without_end():
    deep = []
    for _ in range(100):
        deep = [deep]
    for value in ("x" * 10**6, list(range(10**5)), {str(n): n for n in range(10**5)}, deep, {"k" * 10**5: 1}):
        copy, flags, _ = clean(value)
        assert len(json.dumps(copy)) < 25_000
        assert "truncated" in flags or list(value) == ["k" * 10**5]


def test_a_value_that_holds_itself_is_copied_to_a_depth():
    loop = {}
    loop["again"] = loop
    copy, flags, _ = clean(loop)
    assert copy["again"]["again"]
    assert flags == {"truncated"}


def test_the_original_is_not_changed():
    value = {"a": [1, {"password": "x"}], "b": "y" * 9_000}
    before = json.dumps(value)
    clean(value)
    assert json.dumps(value) == before


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.datetimes() | st.decimals() | st.just(object()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner) | st.tuples(inner, inner),
    max_leaves=30,
)  # fmt: skip


@given(anything)
def test_whatever_goes_in_json_comes_out_and_the_same_again_the_second_time(value):
    copy, _, _ = clean(value)
    text = json.dumps(copy, allow_nan=False, ensure_ascii=False)
    text.encode("utf-8")
    assert clean(json.loads(text))[0] == json.loads(text)
