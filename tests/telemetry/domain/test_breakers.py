"""Words about breakers are ordered by life and number, and a fleet has one honest word."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telemetry.domain.breakers import Known, Said, ends, fleet_state, lives, place, tally
from telemetry.vocabulary import BreakerState, CommandVerb, FleetState

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
CLOSED, OPEN, HALF, FORCED = (
    BreakerState.CLOSED,
    BreakerState.OPEN,
    BreakerState.HALF_OPEN,
    BreakerState.FORCED_OPEN,
)


def known(seq=3, state=OPEN, missing=(), boot="b1", since=NOON):
    return Known(boot, seq, state, since, missing)


def event(seq, state=HALF, came_from=OPEN, boot="b1", at=NOON + timedelta(seconds=1)):
    return Said(boot, seq, state, at, came_from)


def beat(seq, state=OPEN, boot="b1"):
    return Said(boot, seq, state, NOON)


def test_the_next_number_is_the_newest_word():
    placed = place(event(4), known(), ())
    assert (placed.current, placed.missing, placed.flags) == (True, (), ())


def test_a_gap_is_remembered_and_flagged():
    placed = place(event(7), known(), ())
    assert (placed.current, placed.missing, placed.flags) == (True, ((4, 6),), ("gap",))


def test_an_old_number_never_changes_the_state():
    placed = place(event(2), known(), ())
    assert (placed.current, placed.flags) == (False, ("late",))


def test_a_number_that_was_missed_fills_its_gap_and_is_not_late():
    placed = place(event(5), known(seq=7, missing=((4, 6),)), ())
    assert (placed.current, placed.missing, placed.flags) == (False, ((4, 4), (6, 6)), ())


def test_the_event_behind_a_heartbeats_word_says_why():
    placed = place(event(4), known(seq=4, state=HALF, missing=((4, 4),)), ())
    assert (placed.current, placed.missing, placed.flags) == (True, (), ())


def test_a_state_that_does_not_follow_is_flagged():
    assert place(event(4, came_from=CLOSED), known(), ()).flags == ("mismatch",)


def test_a_new_life_begins_at_one():
    placed = place(event(1, boot="b2"), known(seq=90), ())
    assert (placed.current, placed.missing) == (True, ())


def test_a_life_that_ended_stays_ended():
    assert not place(event(99, boot="b0"), known(), ("b0",)).current


def test_an_unknown_life_that_tells_of_the_past_is_an_old_one():
    assert not place(event(5, boot="b0", at=NOON - timedelta(hours=1)), known(), ()).current


def test_a_heartbeat_of_an_unknown_life_is_a_new_life():
    assert place(beat(0, state=CLOSED, boot="b2"), known(), ()).current


def test_the_first_word_about_a_breaker_tells_what_was_missed():
    assert place(event(4), None, ()).missing == ((1, 3),)
    assert place(beat(4), None, ()).missing == ((1, 4),)
    assert place(beat(0), None, ()).missing == ()


def test_a_heartbeat_ahead_of_its_events_leaves_them_missing():
    assert place(beat(5), known(), ()).missing == ((4, 5),)


@given(st.permutations(range(1, 9)))
def test_in_whatever_order_events_come_the_last_one_stands_and_nothing_is_missing(order):
    state = None
    for seq in order:
        placed = place(event(seq), state, ())
        if placed.current:
            state = known(seq=seq, missing=placed.missing)
        else:
            state = known(seq=state.seq, missing=placed.missing)
    assert (state.seq, state.missing) == (8, ())


def test_lives_move_on_and_are_forgotten_at_last():
    assert lives("b1", "b1", ("b0",)) == ("b1", ("b0",))
    assert lives("b2", "b1", ("b0",)) == ("b2", ("b1", "b0"))
    assert len(lives("z", "y", tuple("abcdefghijk"))[1]) == 8


@pytest.mark.parametrize(
    ("states", "word"),
    [
        ([], FleetState.NOT_KNOWN),
        ([CLOSED, CLOSED], FleetState.CLOSED),
        ([OPEN, OPEN], FleetState.OPEN),
        ([CLOSED, OPEN], FleetState.DEGRADED),
        ([HALF], FleetState.HALF_OPEN),
        ([OPEN, HALF], FleetState.HALF_OPEN),
        ([FORCED, FORCED], FleetState.FORCED_OPEN),
        ([FORCED, CLOSED], FleetState.DEGRADED),
        ([BreakerState.DISABLED], FleetState.DISABLED),
        ([BreakerState.METRICS_ONLY, CLOSED], FleetState.CLOSED),
    ],
)
def test_a_fleet_has_one_word(states, word):
    assert fleet_state(tally(states)) is word


def test_a_quorum_may_decide_for_the_rest():
    assert fleet_state(tally([OPEN, OPEN, CLOSED]), quorum=0.5) is FleetState.OPEN


def test_a_reset_does_not_unlock():
    assert not ends(CommandVerb.RESET, CommandVerb.FORCE_OPEN)
    assert ends(CommandVerb.RELEASE, CommandVerb.FORCE_OPEN)
    assert ends(CommandVerb.RESET, CommandVerb.RESET)
