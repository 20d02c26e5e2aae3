"""The filter of the queue is read as a value, and written as it would be typed."""

import pytest

from escalations.domain.search import Search, read, write


@pytest.mark.parametrize(
    ("text", "named", "words"),
    [
        ("tool:points.* refund", (("tool", "points.*"),), ("refund",)),
        ('queue:"refund desk" is:unclaimed', (("queue", "refund desk"), ("is", "unclaimed")), ()),
        ("Cause:abc", (("cause", "abc"),), ()),
        ("nothing:here tool:", (), ("nothing:here", "tool:")),
        ('queue:""', (), ('queue:""',)),
        ("a\x00b", (), ("ab",)),
    ],
)
def test_names_quotes_and_words(text, named, words):
    assert read(text) == Search(named, words)


def test_a_filter_is_written_as_it_is_read():
    said = Search((("queue", "refund desk"), ("class", "hard")), ("refund",))
    assert write(said) == 'queue:"refund desk" class:hard refund'
    assert read(write(said)) == said


def test_a_filter_longer_than_anybody_types_is_read_as_far_as_that():
    assert read("x" * 60_000).words == ("x" * 2_000,)
