from hypothesis import given
from hypothesis import strategies as st

from escalations.domain.presence import LAPSES_S, MOST, Roster


def test_the_others_are_shown_each_once_and_oneself_never():
    roster = Roster(me="1")
    assert roster.here("a", "2", "ben", now=0)
    assert not roster.here("b", "2", "ben", now=1)
    assert not roster.here("c", "1", "ana", now=1)
    assert roster.people(now=1) == ("ben",)
    assert not roster.gone("a", now=2)
    assert roster.gone("b", now=2)
    assert roster.people(now=2) == ()


def test_whoever_says_nothing_any_more_is_not_there():
    roster = Roster(me="1")
    roster.here("a", "2", "ben", now=0)
    assert roster.people(now=LAPSES_S) == ()
    roster.here("a", "2", "ben", now=LAPSES_S)
    assert roster.people(now=LAPSES_S + 1) == ("ben",)


@given(st.lists(st.tuples(st.integers(0, 99).map(str), st.integers(0, 9).map(str)), max_size=200))
def test_it_never_grows_beyond_its_bound(said):
    roster = Roster(me="0")
    for now, (page, person) in enumerate(said):
        roster.here(page, person, f"p{person}", now=now / 10)
    assert len(roster.pages) <= MOST
    assert "p0" not in roster.people(now=len(said) / 10)
