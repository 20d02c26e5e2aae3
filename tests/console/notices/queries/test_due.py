"""An idle outbox is looked at and not written to."""

import pytest

from console.notices import operations, queries, tasks
from tests.console.notices.rows import addressed, channel, end, notice, take
from tests.factories import NOON

pytestmark = pytest.mark.django_db


def test_something_is_due_while_a_notice_waits_to_be_addressed_or_sent():
    assert not queries.anything_due(at=NOON)
    channel()
    notice()
    assert queries.anything_due(at=NOON)
    addressed()
    assert queries.anything_due(at=NOON)
    end(take())
    assert not queries.anything_due(at=NOON)


def test_an_idle_sweep_is_two_reads(django_assert_num_queries, monkeypatch):
    monkeypatch.setattr(operations, "take_one", None)  # nothing that writes is called
    with django_assert_num_queries(2):
        tasks.deliver()
