"""Counters that follow a moment later are exact at every commit, whatever happens in between."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from console.kit.actor import SYSTEM
from telemetry.models import Call, Uncounted
from telemetry.operations import relabel_call
from telemetry.operations.counting import count, count_later, count_what_waits
from telemetry.operations.intake import submission
from telemetry.operations.prepare import Knowledge
from telemetry.operations.recount import recount as compared
from telemetry.operations.store import store
from telemetry.operations.words import Words
from telemetry.vocabulary import FailureClass
from tests.telemetry.calls import NOON, body, call
from tests.telemetry.counters import counters, recount

pytestmark = pytest.mark.django_db
TODAY = NOON.replace(hour=0, minute=0, second=0)
HARD = {"outcome": "failed", "failure": {"class": "hard", "code": "NOT_FOUND", "message": "no such offer"}}


def report(*calls, counting=count_later, words=None):
    said = submission(body(*calls), agent_id=1, key_id=1, at=NOON, knowledge=Knowledge())
    store([said], counting=counting, words=words)


def test_what_was_put_off_is_counted_later_and_is_no_difference_before():
    report(call("a"), call("b", **HARD))
    report(call("c"))
    assert (counters(), Uncounted.objects.count()) == (({}, {}), 2)
    assert compared(since=TODAY).differences == ()
    count_what_waits(at=NOON)
    assert (counters(), Uncounted.objects.count()) == (recount(), 0)


def test_whoever_counts_at_once_counts_what_waits_too():
    report(call("a"))
    report(call("b"), counting=count)
    assert (counters(), Uncounted.objects.count()) == (recount(), 0)


def test_a_correction_of_a_call_that_is_not_counted_yet_counts_it_first():
    report(call("a", duration_ms=7))
    report(call("a", rev=1, duration_ms=900))
    assert (counters(), Uncounted.objects.count()) == (recount(), 0)


def test_a_label_for_a_call_that_is_not_counted_yet_counts_it_first():
    report(call("a", **HARD))
    failed = Call.objects.get()
    relabel_call(call_id=failed.pk, failure_class=FailureClass.TRANSIENT, code="BUSY", by=SYSTEM, at=NOON)
    assert (counters(), Uncounted.objects.count()) == (recount(), 0)


def test_nothing_is_put_off_for_duplicates():
    report(call("a"), counting=count)
    report(call("a"))
    assert Uncounted.objects.count() == 0


reports = st.lists(
    st.tuples(
        st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 3), st.booleans()), min_size=1, max_size=4),
        st.sampled_from([count, count_later, count_later]),
    ),
    min_size=1,
    max_size=6,
)


@given(reports)
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)  # each example goes on from the rows of those before it
def test_counters_and_what_waits_are_what_the_calls_say_after_every_commit(some):
    words = Words()
    for said, counting in some:
        rows = [call(name, rev=rev, **(HARD if failed else {})) for name, rev, failed in said]
        report(*rows, counting=counting, words=words)
        assert compared(since=TODAY).differences == ()
    count_what_waits(at=NOON)
    assert counters() == recount()
