from datetime import UTC, datetime

import pytest

from console.demo.travel.wire import Refused, Request, amount


def request(**args):
    return Request(datetime(2026, 12, 1, tzinfo=UTC), {}, args, {})


@pytest.mark.parametrize(("text", "hundredths"), [("0.05", 5), ("1840.00", 184_000)])
def test_amounts_are_read_and_written_in_hundredths(text, hundredths):
    assert request(amount=text).money("amount") == hundredths
    assert amount(hundredths) == text


@pytest.mark.parametrize("value", ["1840", "-1.00", "1.0", "١.00", 18.4, None])
def test_other_amounts_are_refused(value):
    with pytest.raises(Refused) as refusal:
        request(amount=value).money("amount")
    assert refusal.value.errors[0].received == value


def test_a_missing_text_and_a_number_for_a_text_are_told_apart():
    codes = []
    for args in ({}, {"name": 7}):
        with pytest.raises(Refused) as refusal:
            request(**args).text("name")
        codes.append(refusal.value.code)
    assert codes == ["MISSING", "TYPE"]


def test_true_is_no_number():
    with pytest.raises(Refused):
        request(n=True).whole("n", 0, 5)
