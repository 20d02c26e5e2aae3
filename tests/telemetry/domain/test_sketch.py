"""Percentiles from bins are within one percent, and merging is adding."""

import math

from hypothesis import given
from hypothesis import strategies as st

from telemetry.domain.sketch import (
    EMPTY,
    LEAST_MS,
    bin_of,
    bins,
    count,
    merged,
    one,
    pack,
    quantile,
    quantiles,
    unpack,
    value_of,
)

latencies = st.floats(min_value=LEAST_MS, max_value=3e9)
many = st.lists(latencies, min_size=1, max_size=60)


def sketch_of(values):
    return sum(one(value) for value in values)


@given(latencies)
def test_the_value_of_a_bin_is_within_one_percent_of_what_fell_into_it(ms):
    assert math.isclose(value_of(bin_of(ms)), ms, rel_tol=0.0101)


@given(many, st.sampled_from([0.5, 0.95, 0.99]))
def test_a_quantile_is_within_one_percent_of_the_exact_one(values, q):
    exact = sorted(values)[max(1, math.ceil(q * len(values))) - 1]
    assert math.isclose(quantile(sketch_of(values), q), exact, rel_tol=0.0101)


@given(many)
def test_what_is_stored_is_what_is_read(values):
    sketch = sketch_of(values)
    assert unpack(pack(sketch)) == sketch
    assert count(sketch) == len(values)
    assert bins(sketch) == {
        index: sum(bin_of(value) == index for value in values)
        for index in sorted({bin_of(v) for v in values})
    }


@given(st.lists(st.lists(latencies, max_size=5), max_size=12))
def test_many_that_are_stored_are_read_and_merged_at_once(stories):
    sketches = [sketch_of(values) for values in stories]
    assert merged([pack(sketch) for sketch in sketches]) == sum(sketches)


@given(many, many)
def test_taking_away_is_as_exact_as_adding(some, others):
    assert sketch_of(some) + sketch_of(others) - sketch_of(some) == sketch_of(others)


def test_nothing_measured_has_no_percentile():
    assert quantile(EMPTY, 0.5) is None
    assert quantiles(EMPTY, 0.5, 0.9) == (None, None)
    assert pack(EMPTY) == b""
    assert unpack(b"") == EMPTY


def test_a_stored_sketch_is_small():
    assert len(pack(sketch_of([80, 100, 120, 2_000]))) < 1_000


def test_zero_and_negative_count_as_the_least():
    assert one(0) == one(-5) == one(LEAST_MS)


def test_a_million_equal_latencies_stay_in_their_bin():
    assert bins(one(100) * 4_000_000) == {bin_of(100): 4_000_000}
