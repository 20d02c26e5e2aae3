"""Cases of one cause stand together at the place of the one that is due first; a claimed one stands alone."""

import pytest

from escalations import operations, queries
from escalations.pages.queue_groups import entries
from escalations.vocabulary import View
from tests.escalations import made

pytestmark = pytest.mark.django_db
OTHER = {"call_id": "c", "tool": "points.query", "class": "hard"}


def laid(view=View.OPEN):
    rows = queries.queue(view=view, person_id="11", at=made.NOON).rows
    return entries(rows, view=view, at=made.NOON)


def due(hours):
    return made.later(hours=hours).isoformat()


def test_a_group_stands_where_its_first_case_is_due():
    made.opened(key="late", expires_at=due(3))
    made.opened(key="other", failure=OTHER, expires_at=due(2))
    made.opened(key="first", expires_at=due(1))
    found = laid()
    assert [(entry.group.n if entry.group else 0, entry.row.tool, bool(entry.inside)) for entry in found] == [
        (2, "upgrade.request", False),
        (0, "upgrade.request", True),
        (0, "upgrade.request", True),
        (0, "points.query", False),
    ]
    assert found[0].group.first.expires_at == made.later(hours=1)
    assert (found[0].group.joined, found[0].group.agents, found[0].group.more) == (2, 1, 0)


def test_a_claimed_case_stands_alone_and_two_are_no_group_then():
    first = made.opened(key="a")
    made.opened(key="b")
    operations.claim(case_id=first.id, by=made.ANA, at=made.NOON)
    assert [entry.group for entry in laid()] == [None, None]


def test_other_views_are_plain_lists():
    for n in range(2):
        made.reported(made.decided(made.opened(key=f"k{n}").id), "executed")
    assert [entry.group for entry in laid(View.DONE)] == [None, None]
