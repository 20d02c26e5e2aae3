"""Sums of calls: what is added and taken away leaves nothing, whatever the order."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from telemetry.domain.buckets import GRAINS
from telemetry.domain.tally import ALL_AGENTS, EVERYTHING, FAILED, Counted, Tally


def counted(**changes):
    plain = {
        "agent_id": 1,
        "tool_id": 2,
        "failure_class": "",
        "code": "",
        "outcome": "succeeded",
        "recovered_by": "",
        "minute": 29_000_000,
        "duration_us": 12_345,
        "attempts": 1,
        "recovery_us": 0,
        "failed_attempts": (),
    }
    return Counted(**{**plain, **changes})


calls = st.builds(
    counted,
    agent_id=st.integers(1, 3),
    failure_class=st.sampled_from(["", "transient", "hard"]),
    outcome=st.sampled_from(["succeeded", "failed", "recovered", "deferred"]),
    recovered_by=st.sampled_from(["", "retry"]),
    minute=st.integers(29_000_000, 29_003_000),
    duration_us=st.integers(0, 10**9),
    attempts=st.integers(0, 4),
    failed_attempts=st.lists(st.tuples(st.sampled_from(["transient", "hard"]), st.just("X")), max_size=3).map(
        tuple
    ),
)


@given(st.lists(calls, max_size=20), st.randoms())
def test_what_was_added_and_taken_away_again_leaves_nothing(some, random):
    tally = Tally()
    moves = [(call, sign) for call in some for sign in (1, -1)]
    random.shuffle(moves)
    for call, sign in moves:
        tally.add(call, sign)
    assert list(tally.rollups()) == []
    assert tally.sketches() == {}


@given(st.lists(calls, min_size=1, max_size=20))
def test_every_grain_counts_every_operation_once_for_its_agent_and_once_for_all(some):
    tally = Tally()
    for call in some:
        tally.add(call)
    series = tally.series()
    operations = {key for key, words in series.items() if words[0] == "o"}
    for agents_of_all in (True, False):
        mine = {k for k in operations if (series[k][1] == ALL_AGENTS) is agents_of_all}
        for grain in GRAINS:
            assert sum(row[4] for row in tally.rollups() if row[1] == grain and row[3] in mine) == len(some)


def test_failed_attempts_are_a_series_of_their_own():
    tally = Tally()
    tally.add(
        counted(outcome="recovered", failed_attempts=(("transient", "TIMEOUT"), ("transient", "TIMEOUT")))
    )
    kinds = {tally.series()[row[3]][0]: row[4] for row in tally.rollups() if row[1] == 1}
    assert kinds == {"o": 1, "a": 2, "s": 1, "t": 2}


@given(st.lists(calls, min_size=1, max_size=20))
def test_the_failed_operations_of_a_tool_are_counted_together(some):
    tally = Tally()
    for call in some:
        tally.add(call)
    failed = [row for row in tally.rollups() if row[:2] == (FAILED, 1440)]
    assert sum(row[4] for row in failed) == sum(bool(call.failure_class) for call in some)
    assert {tally.series()[row[3]][2] for row in failed} <= {2}


@given(st.lists(calls, min_size=1, max_size=20))
def test_the_sums_over_everything_are_the_sums_of_the_tools(some):
    tally = Tally()
    for call in some:
        tally.add(call)
    series = tally.series()
    for kind, summed in (("o", "s"), ("a", "t")):
        parts, sums = Counter(), Counter()
        for agent, grain, bucket, key, *amounts in tally.rollups():
            words = series[key]
            under = (grain, bucket, words[3], words[5], words[6])
            if words[0] == kind and agent == ALL_AGENTS:
                parts[under] += amounts[0]
            elif words[0] == summed:
                assert (agent, words[2], words[4]) == (EVERYTHING, 0, "")
                sums[under] += amounts[0]
        assert parts == sums


def test_only_a_call_that_worked_at_once_worked_first_time():
    assert counted().first_time
    assert not counted(outcome="recovered").first_time
    assert not counted(failure_class="transient").first_time
    assert not counted(attempts=2).first_time


def test_a_deferred_call_has_no_latency():
    tally = Tally()
    tally.add(counted(outcome="deferred"))
    assert tally.sketches() == {}


@given(st.lists(st.lists(calls, max_size=8), max_size=4))
def test_tallies_that_were_written_and_read_are_their_sum(parts):
    whole, read = Tally(), Tally()
    for part in parts:
        one = Tally()
        for call in part:
            one.add(call)
            whole.add(call)
        read.read(one.written())
    assert list(read.rollups()) == list(whole.rollups())
    assert read.sketches() == whole.sketches()
    assert read.series() == whole.series()
