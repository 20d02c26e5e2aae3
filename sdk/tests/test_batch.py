import gzip
import json

import pytest

from switchboard._batch import Batch


def batch(*calls):
    return Batch(tuple(json.dumps(each).encode() for each in calls), tuple(each["call_id"] for each in calls))


def test_a_small_batch_goes_as_it_is_and_a_large_one_gzipped():
    body, headers = batch({"call_id": "1"}).body()
    assert json.loads(body) == {"calls": [{"call_id": "1"}]}
    assert headers == {"content-type": "application/json"}
    body, headers = batch({"call_id": "1", "x": "y" * 5_000}).body()
    assert headers["content-encoding"] == "gzip"
    assert json.loads(gzip.decompress(body))["calls"][0]["call_id"] == "1"
    assert len(body) < 1_000


def test_what_is_kept_on_disk_can_be_read_again():
    whole = batch({"call_id": "1", "é": "ü"}, {"call_id": "2"})
    again = Batch.read(whole.squeezed())
    assert again.ids == ("1", "2")
    assert [json.loads(each) for each in again.items] == [json.loads(each) for each in whole.items]


@pytest.mark.parametrize("rubbish", [b"", b"no gzip", gzip.compress(b"no json", mtime=0)])
def test_what_is_no_batch_is_an_error_that_is_expected(rubbish):
    with pytest.raises((ValueError, OSError, EOFError)):
        Batch.read(rubbish)


def test_halves_hold_everything_in_order():
    one, two = batch({"call_id": "1"}, {"call_id": "2"}, {"call_id": "3"}).halves()
    assert one.ids + two.ids == ("1", "2", "3")
    assert len(one) == 1
