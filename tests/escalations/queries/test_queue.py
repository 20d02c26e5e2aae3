from datetime import timedelta

import pytest

from escalations import operations, queries
from escalations.vocabulary import View
from tests.escalations import made

pytestmark = pytest.mark.django_db


def listed(view=View.OPEN, *, who=made.ANA, at=made.NOON, **more):
    return queries.queue(view=view, person_id=who.id, at=at, **more)


def titles(*args, **more):
    return [row.title for row in listed(*args, **more).rows]


def test_the_queue_is_ordered_by_deadline_and_pages_by_key():
    for n, hours in enumerate((3, 1, 2)):
        made.opened(key=f"k{n}", title=f"due in {hours}", expires_at=made.later(hours=hours).isoformat())

    first = listed(limit=2)

    assert [row.title for row in first.rows] == ["due in 1", "due in 2"]
    assert [row.title for row in listed(limit=2, after=first.after).rows] == ["due in 3"]
    assert listed(limit=2, after=first.after).after is None


@pytest.mark.parametrize("count", [1, 3])
def test_a_page_costs_the_same_however_long(count, django_assert_num_queries):
    for n in range(count):
        made.opened(key=f"k{n}")
    with django_assert_num_queries(2):
        rows = listed().rows
    assert [row.same_cause for row in rows] == [count] * count


def test_the_filter_takes_names_with_wildcards_and_free_words():
    made.opened(key="a", title="Refund over the limit")
    made.opened(key="b", title="Balance", failure={"call_id": "c", "tool": "points.query", "class": "hard"})
    assert titles(search="tool:points.*") == ["Balance"]
    assert titles(search="class:HARD") == ["Balance"]
    assert titles(search="refund") == ["Refund over the limit"]
    assert titles(search="tool:points.* refund") == []
    assert titles(search="is:nonsense") == []
    assert titles(search="tool:[(*") == []
    assert titles(search="tool:*POINTS*r*") == ["Balance"]
    assert titles(search="tool:" + "*" * 900 + "x") == titles(search="tool:*n*n*n*n*n*") == []
    assert titles(search="tool:points_*") == titles(search="tool:%*query%") == []


def test_claimed_cases_are_told_from_unclaimed_ones_while_the_lease_lasts():
    case = made.opened()
    operations.claim(case_id=case.id, by=made.ANA, at=made.NOON)
    assert titles(search="is:claimed") == [case.title]
    assert titles(search="is:unclaimed") == []
    lapsed = made.later(seconds=301)
    assert titles(search="is:unclaimed", at=lapsed) == [case.title]
    assert listed(at=lapsed).rows[0].holder_name == ""


def test_a_case_number_finds_its_case():
    made.opened(key="a")
    second = made.opened(key="b", title="The one")
    assert titles(search=second.ref) == ["The one"]


def test_each_case_is_in_the_view_of_its_state_and_every_count_equals_its_list():
    """Check: badge = list count."""
    made.opened(key="open", title="open")
    mine = made.opened(key="mine", title="mine")
    operations.claim(case_id=mine.id, by=made.ANA, at=made.NOON)
    failed = made.decided(made.opened(key="failed", title="failed").id)
    made.reported(failed, "failed")
    made.reported(made.decided(made.opened(key="done", title="done").id), "executed")
    made.decided(made.opened(key="said no", title="said no").id, "reject")

    assert sorted(titles(View.OPEN)) == ["mine", "open"]
    assert titles(View.MINE) == ["mine"]
    assert titles(View.MINE, who=made.BEN) == []
    assert titles(View.ATTENTION) == ["failed"]
    assert sorted(titles(View.DONE)) == ["done", "said no"]
    counts = queries.rail_counts(person_id=made.ANA.id, at=made.NOON)
    assert queries.open_counts(at=made.NOON) == (counts.open, counts.unclaimed)
    assert (counts.open, counts.unclaimed, counts.mine) == (2, 1, 1)
    assert (counts.attention, counts.snoozed) == (1, 0)


@pytest.mark.parametrize("minutes", [0, 4, 6, 90])
def test_every_count_is_the_length_of_its_list_at_any_moment(minutes):
    """Check: badge = list count. Leases lapse, rests end and deadlines pass by the clock alone."""
    cases = [made.opened(key=f"k{n}", title=f"no {n}") for n in range(9)]
    operations.claim(case_id=cases[0].id, by=made.ANA, at=made.NOON)
    operations.claim(case_id=cases[1].id, by=made.BEN, at=made.NOON)
    for n, case in enumerate(cases[1:4], 1):
        until = made.later(minutes=30 * n)
        operations.snooze(case_id=case.id, until=until, by=made.ANA, at=made.NOON)
    made.decided(cases[4].id)
    made.reported(made.decided(cases[5].id), "executing")
    made.reported(made.decided(cases[6].id), "unknown")
    made.decided(cases[7].id, "reject")
    at = made.later(minutes=minutes)
    for who in (made.ANA, made.BEN):
        counts = queries.rail_counts(person_id=who.id, at=at)
        for view in (View.OPEN, View.MINE, View.ATTENTION, View.SNOOZED, View.UNREPORTED):
            assert getattr(counts, view.value) == len(listed(view, who=who, at=at).rows), view
        assert counts.unclaimed == len(listed(who=who, at=at, search="is:unclaimed").rows)
        assert (counts.open, counts.unclaimed) == queries.open_counts(at=at)


def test_what_is_due_within_a_quarter_of_an_hour_is_counted():
    made.opened(key="k")
    (row,) = listed(View.OPEN).rows
    for minutes, due in ((20, 0), (10, 1)):
        counts = queries.rail_counts(person_id="1", at=row.expires_at - timedelta(minutes=minutes))
        assert queries.open_counts(at=row.expires_at - timedelta(minutes=minutes)) == (
            counts.open,
            counts.unclaimed,
        )
        assert counts.due_soon == due


def test_the_newest_decision_leads_the_list_of_done_ones():
    for n in range(3):
        case = made.opened(key=f"k{n}", title=f"no {n}")
        made.decided(case.id, "reject", at=made.later(minutes=n))
    first = listed(View.DONE, limit=2)
    assert [row.title for row in first.rows] == ["no 2", "no 1"]
    assert [row.title for row in listed(View.DONE, limit=2, after=first.after).rows] == ["no 0"]
