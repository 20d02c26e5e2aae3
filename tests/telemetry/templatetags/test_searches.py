"""Every number leads to its rows: addresses that a search reads as exactly what was meant."""

from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

from telemetry.templatetags.searches import calls_of, narrowed


def text(address):
    return parse_qs(urlsplit(address).query)["q"][0]


def test_words_become_terms_and_empty_ones_say_nothing():
    since = datetime(2026, 11, 30, 12, tzinfo=UTC)
    address = calls_of(tool="pay*", **{"class": "hard"}, agent="", since=since, until=None)
    assert text(address) == 'tool:"pay*" class:hard since:2026-11-30T12:00:00Z'


def test_a_word_of_a_row_takes_the_place_of_its_field():
    assert text(narrowed("agent:a class:hard", "agent", "b c")) == 'class:hard agent:"b c"'
