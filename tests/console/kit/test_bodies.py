"""A body is read within a bound, before and after decompression, whatever it says of itself."""

import gzip
import zlib

import pytest

from console.kit.bodies import BadPacking, TooLarge, WrongMedia, check_length, media_type, unpacked

LIMIT = 1_000


@pytest.mark.parametrize("packing", ["", "identity", " Identity "])
def test_a_plain_body_is_given_as_it_is(packing):
    assert unpacked(b"{}", packing, limit=LIMIT) == b"{}"


def test_gzip_is_unpacked_and_so_are_several_one_after_another():
    assert unpacked(gzip.compress(b"ab") + gzip.compress(b"c"), "gzip", limit=LIMIT) == b"abc"


def test_deflate_is_what_some_exporters_send():
    assert unpacked(zlib.compress(b"abc"), "deflate", limit=LIMIT) == b"abc"
    with pytest.raises(BadPacking):
        unpacked(gzip.compress(b"abc"), "deflate", limit=LIMIT)
    with pytest.raises(TooLarge):
        unpacked(zlib.compress(b"0" * 50_000_000), "deflate", limit=LIMIT)


def test_a_bomb_is_refused_before_it_is_held():
    bomb = gzip.compress(b"0" * 50_000_000)
    with pytest.raises(TooLarge):
        unpacked(bomb, "gzip", limit=LIMIT)


def test_a_body_of_exactly_the_limit_fits():
    assert len(unpacked(gzip.compress(b"x" * LIMIT), "gzip", limit=LIMIT)) == LIMIT
    with pytest.raises(TooLarge):
        unpacked(gzip.compress(b"x" * (LIMIT + 1)), "gzip", limit=LIMIT)


@pytest.mark.parametrize(
    "body",
    [
        b"plain",
        gzip.compress(b"cut off", mtime=0)[:-4],
        zlib.compress(b"zlib"),
        gzip.compress(b"a", mtime=0) * 100,
    ],
)
def test_what_is_no_gzip_is_refused(body):
    with pytest.raises(BadPacking):
        unpacked(body, "gzip", limit=LIMIT)


@pytest.mark.parametrize("packing", ["br", "zstd", "gzip, gzip"])
def test_another_packing_is_refused_by_name(packing):
    with pytest.raises(WrongMedia) as caught:
        unpacked(b"x", packing, limit=LIMIT)
    assert caught.value.errors[0].received == packing


@pytest.mark.parametrize(
    ("length", "fits"), [("1000", True), ("1001", False), (None, True), ("", True), ("x", True)]
)
def test_a_length_that_is_said_is_believed_only_when_it_is_too_much(length, fits):
    if fits:
        check_length(length, limit=LIMIT)
    else:
        with pytest.raises(TooLarge):
            check_length(length, limit=LIMIT)


def test_a_media_type_is_read_without_its_parameters():
    assert (
        media_type("Application/JSON; charset=utf-8", allowed=frozenset({"application/json"}))
        == "application/json"
    )
    with pytest.raises(WrongMedia):
        media_type("text/plain", allowed=frozenset({"application/json"}))
