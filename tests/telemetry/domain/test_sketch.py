"""Percentiles from bins are within one percent, and merging is adding."""

import math

from hypothesis import given
from hypothesis import strategies as st

from telemetry.domain.sketch import LEAST_MS, bin_of, merged, quantile, value_of

latencies = st.floats(min_value=LEAST_MS, max_value=1e10)


@given(latencies)
def test_the_value_of_a_bin_is_within_one_percent_of_what_fell_into_it(ms):
    assert math.isclose(value_of(bin_of(ms)), ms, rel_tol=0.0101)


@given(st.lists(latencies, min_size=1, max_size=200), st.sampled_from([0.5, 0.95, 0.99]))
def test_a_quantile_is_within_one_percent_of_the_exact_one(values, q):
    bins = merged([{str(bin_of(value)): 1} for value in values])
    exact = sorted(values)[max(1, math.ceil(q * len(values))) - 1]
    assert math.isclose(quantile(bins, q), exact, rel_tol=0.0101)


def test_nothing_measured_has_no_percentile():
    assert quantile({}, 0.5) is None
    assert quantile({3: 0}, 0.5) is None


def test_zero_and_negative_count_as_the_least():
    assert bin_of(0) == bin_of(-5) == bin_of(LEAST_MS)
