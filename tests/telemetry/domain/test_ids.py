"""Ids carry their moment, always grow, and follow from words."""

from datetime import UTC, datetime, timedelta

from telemetry.domain.ids import Ids, first_id, id_of_words, received_at

NOON = datetime(2026, 11, 30, 12, 0, 0, 123456, tzinfo=UTC)


def test_an_id_gives_back_the_microsecond_it_was_made_in():
    (made,) = Ids(node=7).take(1, at=NOON)
    assert received_at(made) == NOON
    assert first_id(NOON) <= made < first_id(NOON + timedelta(microseconds=1))


def test_ids_grow_although_the_clock_is_set_back():
    ids = Ids(node=1)
    earlier = ids.take(3, at=NOON)
    later = ids.take(3, at=NOON - timedelta(hours=1))
    assert sorted([*earlier, *later]) == [*earlier, *later]
    assert len({*earlier, *later}) == 6


def test_two_processes_never_make_the_same_id_in_the_same_microsecond():
    assert not set(Ids(node=1).take(1000, at=NOON)) & set(Ids(node=2).take(1000, at=NOON))


def test_an_id_of_sixty_years_hence_still_fits_a_signed_bigint():
    assert 0 < first_id(datetime(2086, 1, 1, tzinfo=UTC)) < 2**63


def test_words_have_one_id_and_their_order_and_borders_matter():
    assert id_of_words("o", 1, "ab") == id_of_words("o", 1, "ab")
    assert len({id_of_words("a", "bc"), id_of_words("ab", "c"), id_of_words("bc", "a")}) == 3
    assert 0 <= id_of_words("anything \ud800") < 2**63
