from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from escalations.domain import chain
from escalations.domain.policy import ChainStep
from escalations.vocabulary import ChainDo
from tests.escalations import made

ASK = ChainStep(do=ChainDo.ON_CALL, team="desk")
TELL = ChainStep(do=ChainDo.NOTIFY, person="ana")
POST = ChainStep(do=ChainDo.WEBHOOK, url="https://x")


def wait(seconds):
    return ChainStep(do=ChainDo.WAIT, seconds=seconds)


def again(times):
    return ChainStep(do=ChainDo.REPEAT, times=times)


def walk(steps):
    """Give every step that is done: (step, round, seconds since the opening)."""
    due, at, seen = chain.next_due(steps, chain.Place()), timedelta(), []
    while due is not None:
        at += due.after
        seen.append((due.place.step, due.place.round, at.total_seconds()))
        due = chain.following(steps, due.place)
    return seen


def test_a_chain_waits_and_goes_on_and_begins_again_as_often_as_it_says():
    steps = [ASK, wait(60), TELL, wait(30), again(2)]
    assert walk(steps) == [(0, 0, 0), (2, 0, 60), (0, 1, 90), (2, 1, 150), (0, 2, 180), (2, 2, 240)]


def test_waits_add_up_and_a_chain_without_anything_to_do_is_over():
    assert walk([wait(10), wait(20), TELL]) == [(2, 0, 30)]
    assert chain.next_due([wait(10), again(3)], chain.Place()) is None
    assert chain.next_due([], chain.Place()) is None


STEPS = st.lists(
    st.sampled_from([ASK, TELL, POST]) | st.integers(10, 100).map(wait) | st.integers(1, 3).map(again),
    max_size=8,
)


@given(STEPS)
def test_every_chain_comes_to_an_end_and_never_goes_back_in_time(steps):
    seen = walk(steps)
    acts = sum(step.do in chain.ACTS for step in steps)
    assert len(seen) <= acts * (1 + max((step.times for step in steps), default=0))
    assert [at for _, _, at in seen] == sorted(at for _, _, at in seen)
    assert all(steps[n].do in chain.ACTS for n, _, _ in seen)


def test_the_next_of_a_team_is_asked_each_time():
    other = ChainStep(do=ChainDo.ON_CALL, team="other")
    steps = [ASK, wait(10), other, ASK, wait(10), again(2)]
    turns = [chain.turn_of(steps, chain.Place(n, turn)) for n, turn, _ in walk(steps) if steps[n] is ASK]
    assert turns == [0, 1, 2, 3, 4, 5]
    assert chain.turn_of(steps, chain.Place(2, 1)) == 1


def test_reminders_come_one_after_the_other_and_none_after_the_deadline():
    expires_at = made.later(hours=1)
    first = chain.next_reminder((600, 1800), expires_at=expires_at, after=made.NOON)
    assert first == made.later(minutes=30)
    second = chain.next_reminder((600, 1800), expires_at=expires_at, after=first)
    assert second == made.later(minutes=50)
    assert chain.next_reminder((600, 1800), expires_at=expires_at, after=second) is None
    assert chain.next_reminder((7200,), expires_at=expires_at, after=made.NOON) is None
