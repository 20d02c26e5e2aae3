"""A line of text becomes conditions; what does not read is named, part by part; links edit the same line."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telemetry.domain.search import FIELDS, MistakeKind, Number, Text, Word, read, term, with_term, without

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def asked(text):
    reading = read(text, at=NOON)
    assert reading.mistakes == ()
    return reading.asked


def mistake(text):
    (one,) = read(text, at=NOON).mistakes
    return one


def test_a_line_of_many_terms_asks_for_all_of_them():
    found = asked(
        'tool:pay* class:hard code:RATE_LIMITED -agent:x recovered:retry ms:>500 since:2h "no seat"'
    )
    assert found.words == (
        Word("tool", ("pay*",)),
        Word("class", ("hard",)),
        Word("code", ("RATE_LIMITED",)),
        Word("agent", ("x",), negated=True),
        Word("recovered", ("retry",)),
    )
    assert found.numbers[0].low == pytest.approx(500)
    assert found.numbers[0].low > 500
    assert found.texts == (Text("no seat"),)
    assert (found.since, found.until) == (NOON - timedelta(hours=2), None)


def test_a_comma_means_either_and_quotes_mean_literally():
    (word,) = asked('tool:a,"b*,c",d*').words
    assert (word.values, word.globs) == (("b*,c", "a"), ("d*",))


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("ms:5", 5, 5),
        ("ms:>=2s", 2_000, None),
        ("ms:<=1min", None, 60_000),
        ("attempts:2..5", 2, 5),
        ("attempts:=3", 3, 3),
    ],
)
def test_numbers_are_bounds(text, low, high):
    (number,) = asked(text).numbers
    assert number == Number(text.partition(":")[0], low, high)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("90s", NOON - timedelta(seconds=90)),
        ("30min", NOON - timedelta(minutes=30)),
        ("7d", NOON - timedelta(days=7)),
        ("2026-11-30T10:00Z", NOON - timedelta(hours=2)),
        ("2026-11-30T10:00", NOON - timedelta(hours=2)),
        ("2026-11-30", NOON - timedelta(hours=12)),
    ],
)
def test_a_moment_is_a_length_of_time_or_a_time(text, moment):
    assert asked(f"since:{text}").since == moment
    assert asked(f"until:{text}").until == moment


def test_a_moment_without_a_zone_is_meant_in_the_readers():
    here = NOON.astimezone(timezone(timedelta(hours=8)))
    assert read("since:2026-11-30T20:00", at=here).asked.since == NOON


def test_of_two_bounds_the_narrower_holds():
    found = asked("since:1h since:2h until:5m until:1m")
    assert (found.since, found.until) == (NOON - timedelta(hours=1), NOON - timedelta(minutes=5))


@pytest.mark.parametrize(
    ("text", "kind", "part", "nearest"),
    [
        ("tol:x", MistakeKind.NO_FIELD, "tol:x", "tool"),
        ("http://x", MistakeKind.NO_FIELD, "http://x", ""),
        ("class:hrd", MistakeKind.NO_WORD, "class:hrd", "hard"),
        ('class:"h*"', MistakeKind.NO_WORD, 'class:"h*"', ""),
        ("outcome:failed,lost", MistakeKind.NO_WORD, "outcome:failed,lost", ""),
        ("tool:", MistakeKind.NO_VALUE, "tool:", ""),
        ('""', MistakeKind.NO_VALUE, '""', ""),
        ("ms:soon", MistakeKind.NO_NUMBER, "ms:soon", ""),
        ("attempts:2s", MistakeKind.NO_NUMBER, "attempts:2s", ""),
        ("since:9999-99-99", MistakeKind.NO_MOMENT, "since:9999-99-99", ""),
        ("since:yesterday", MistakeKind.NO_MOMENT, "since:yesterday", ""),
        ("-since:2h", MistakeKind.NOT_NEGATED, "-since:2h", ""),
        ("ms>500", MistakeKind.NO_COLON, "ms>500", "ms:>500"),
        ("ms>=2s", MistakeKind.NO_COLON, "ms>=2s", "ms:>=2s"),
        ("class=hard", MistakeKind.NO_COLON, "class=hard", "class:hard"),
        ("-class=hard", MistakeKind.NO_COLON, "-class=hard", "-class:hard"),
        ("tool!=pay", MistakeKind.NO_COLON, "tool!=pay", "-tool:pay"),
        ("Clas=hard", MistakeKind.NO_COLON, "Clas=hard", "class:hard"),
        ('tool:a "no end', MistakeKind.UNCLOSED, '"no end', ""),
        ("x" * 2_001, MistakeKind.TOO_LONG, "x", ""),
    ],
)
def test_what_is_wrong_is_named_by_the_part_that_is_wrong(text, kind, part, nearest):
    one = mistake(text)
    assert (one.kind, one.part, one.nearest) == (kind, part, nearest)
    assert text[one.start : one.end] == part
    assert one.sentence.startswith(part)


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("-tol:x", "-tool:x"),
        ("class:soft,hrd", ""),
        ("-class:hrd", "-class:hard"),
        ("ms>500", "ms:>500"),
        ("tool!=pay", "-tool:pay"),
        ("ms:soon", ""),
    ],
)
def test_what_was_meant_reads(text, mended):
    assert mistake(text).mended == mended
    assert read(mended, at=NOON).mistakes == ()


@pytest.mark.parametrize("text", ['"ms>500"', "a=b", "price>5", "x>y", "->", "=", "<script>", "said=hello"])
def test_a_text_that_only_looks_like_a_comparison_stays_a_text(text):
    assert asked(text).texts


def test_every_wrong_part_is_named_and_the_rest_is_read():
    reading = read("tol:x class:hard ms:soon", at=NOON)
    assert [one.part for one in reading.mistakes] == ["tol:x", "ms:soon"]
    assert reading.asked.words == (Word("class", ("hard",)),)


def test_the_example_of_every_field_reads():
    for field in FIELDS.values():
        asked(field.example)


texts = st.text(st.characters(codec="utf-8"), max_size=80)
lines = st.lists(
    st.one_of(texts, st.builds("{}:{}".format, st.sampled_from(sorted(FIELDS)), texts)), max_size=6
).map(" ".join)


@given(lines)
def test_any_line_is_read_or_refused_and_its_parts_are_where_they_are_said_to_be(text):
    for one in read(text, at=NOON).mistakes:
        assert 0 <= one.start < one.end <= len(text)
        assert text.startswith(one.part, one.start)
        assert one.sentence


names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=40)


@given(st.sampled_from(["tool", "agent", "code", "call", "trace"]), names, st.booleans())
def test_a_term_that_was_written_is_read_as_exactly_its_value(field, value, negated):
    (word,) = asked(term(field, value, negated=negated)).words
    assert word == Word(field, word.patterns, word.exact, negated)
    assert (word.values, word.globs) == ((value,), ())


@given(names)
def test_a_text_that_was_written_is_read_as_that_text(value):
    assert asked(term("", value)).texts == (Text(value),)


@given(lines, names)
def test_exchanging_a_term_leaves_the_others_as_they_are(text, value):
    before = read(text, at=NOON)
    if any(one.kind in {MistakeKind.UNCLOSED, MistakeKind.TOO_LONG} for one in before.mistakes):
        return
    after = read(with_term(text, "tool", value), at=NOON)
    others = [word for word in after.asked.words if word.field != "tool"]
    assert others == [word for word in before.asked.words if word.field != "tool"]
    assert after.asked.numbers == before.asked.numbers
    assert [word.values for word in after.asked.about("tool")] == [(value,)]
    assert read(without(text, "tool"), at=NOON).asked.about("tool") == ()


def test_more_stars_than_are_looked_for_are_a_mistake_that_names_the_part():
    (mistake,) = read("tool:*a*a*a*a*x class:hard", at=NOON).mistakes
    assert (mistake.kind, mistake.part) == (MistakeKind.TOO_LONG, "tool:*a*a*a*a*x")
    assert read("tool:" + "*" * 400 + "x", at=NOON).mistakes == ()
