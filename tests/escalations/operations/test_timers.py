from datetime import UTC, datetime

import pytest
from django.db import IntegrityError, transaction

from console.audit.queries import history
from console.notices.models import Notice
from escalations import operations, queries
from escalations.models import Case, ChainPost
from tests.escalations import cast, made

pytestmark = pytest.mark.django_db
CHAIN = [
    {"do": "on_call", "team": "desk"},
    {"do": "wait", "seconds": 300},
    {"do": "notify", "person": "root"},
    {"do": "wait", "seconds": 300},
    {"do": "repeat", "times": 1},
]


@pytest.fixture
def desk():
    """Two operators who take turns, an administrator, and a policy with a chain."""
    people = [cast.person("ana", "operator"), cast.person("ben", "operator"), cast.person("root", "admin")]
    cast.team()
    cast.policy(effect={"chain": CHAIN})
    return people


def row():
    return Case.objects.get()


def steps_done():
    return [entry.detail for entry in history(subject=f"case:{row().number}") if entry.verb == "chain_step"]


def run(at):
    done = 0
    while operations.chain_one(at=at):
        done += 1
    return done


def test_a_chain_asks_one_after_the_other_and_begins_again(desk):
    made.opened()
    assert run(made.NOON) == 1
    assert (row().assignee_name, row().chain_at) == ("ana", made.later(seconds=300))
    assert run(made.later(seconds=299)) == 0
    assert [run(made.later(seconds=n * 300)) for n in (1, 2, 3, 4)] == [1, 1, 1, 0]
    assert [detail["people"] for detail in steps_done()] == [["ana"], ["root"], ["ben"], ["root"]]
    assert (row().assignee_name, row().chain_at) == ("ben", None)


def test_the_people_are_told_once_for_each_step(desk):
    ana, _, root = desk
    made.opened()
    run(made.NOON)
    run(made.later(seconds=300))
    told = [(notice.topic, notice.people) for notice in Notice.objects.filter(once__startswith="chain:")]
    assert sorted(told) == [("case_assigned", [ana.id]), ("case_due", [root.id])]


@pytest.mark.parametrize("end", ["decided", "cancelled", "expired"])
def test_what_is_over_is_never_told_again_and_an_old_timer_does_nothing(desk, end):
    """Check: acked or decided item is never paged again; an old timer wakes and does nothing."""
    case = made.opened(expires_at=made.later(seconds=600).isoformat())
    run(made.NOON)
    until = made.later(seconds=599)
    operations.snooze(case_id=case.id, until=until, by=desk[0], at=made.NOON)
    match end:
        case "decided":
            made.decided(case.id)
        case "cancelled":
            operations.cancel(case_id=case.id, reason="", by=made.AGENT, at=made.NOON)
        case "expired":
            operations.expire_one(at=made.later(seconds=600))
    told = Notice.objects.count()
    assert (row().chain_at, row().remind_at, row().auto_at, row().snoozed_until) == (None,) * 4
    Case.objects.update(snoozed_until=until)  # as an older release left it
    assert run(made.later(days=30)) == 0
    assert not operations.wake_one(at=made.later(days=30))
    assert not operations.remind_one(at=made.later(days=30))
    assert Notice.objects.count() == told
    assert len(steps_done()) == 1


def test_the_database_holds_no_timer_of_what_is_decided(desk):
    made.decided(made.opened().id)
    with pytest.raises(IntegrityError), transaction.atomic():
        Case.objects.update(chain_at=made.NOON)


def test_whoever_has_the_case_is_left_alone_until_the_lease_is_over(desk):
    """Check: acked or decided item is never paged again."""
    case = made.opened()
    operations.claim(case_id=case.id, by=desk[0], at=made.NOON)
    assert run(made.NOON) == 1  # it looked, and put itself off
    assert steps_done() == []
    lease = row().lease_until
    assert row().chain_at == lease
    operations.lapse_one(at=lease)
    assert run(lease) == 1
    assert len(steps_done()) == 1


def test_a_resting_case_is_not_chased_and_wakes_by_its_column(desk):
    case = made.opened()
    until = made.later(hours=1)
    operations.snooze(case_id=case.id, until=until, by=desk[0], at=made.NOON)
    run(made.NOON)
    assert steps_done() == []
    assert not operations.wake_one(at=made.later(minutes=59))
    assert operations.wake_one(at=until)
    assert (row().snoozed_until, history(subject=f"case:{row().number}")[-1].verb) == (None, "woken")
    assert run(until) == 1


def test_a_chain_goes_on_where_a_decision_was_taken_back(desk, settings):
    settings.UNDO_WINDOW_S = 60
    case = made.opened()
    run(made.NOON)
    made.decided(case.id, at=made.later(seconds=10))
    operations.retract(case_id=case.id, by=made.ANA, at=made.later(seconds=20))
    assert row().remind_at is not None
    assert run(made.later(seconds=20)) == 1
    assert steps_done()[-1]["people"] == ["root"]


def test_a_step_that_finds_nobody_says_so_and_the_chain_goes_on():
    cast.policy(effect={"chain": [{"do": "on_call", "team": "nobody"}, {"do": "notify", "team": "nobody"}]})
    made.opened()
    assert run(made.NOON) == 2
    assert [detail["people"] for detail in steps_done()] == [[], []]
    assert row().assignee_name == ""


def test_a_webhook_step_leaves_a_post_without_arguments():
    cast.policy(effect={"chain": [{"do": "webhook", "url": "https://hooks.example.com/x"}]})
    made.opened()
    run(made.NOON)
    post = ChainPost.objects.get()
    assert (post.url, post.due_at) == ("https://hooks.example.com/x", made.NOON)
    assert post.body["ref"] == str(row())
    assert "args" not in made.as_json(post.body)


def test_reminders_come_before_the_deadline_to_whoever_has_it():
    ana = cast.person("ana", "operator")
    cast.policy(effect={"remind_before_s": [600, 300]})
    case = made.opened(expires_at=made.later(hours=1).isoformat())
    assert not operations.remind_one(at=made.later(minutes=49))
    operations.claim(case_id=case.id, by=ana, at=made.later(minutes=49))
    assert operations.remind_one(at=made.later(minutes=50))
    assert not operations.remind_one(at=made.later(minutes=54))
    assert operations.remind_one(at=made.later(minutes=55))
    assert not operations.remind_one(at=made.later(minutes=59))
    told = Notice.objects.filter(once__startswith="due:").order_by("at")
    assert [(each.people, each.queue) for each in told] == [([ana.id], None), ([], "")]
    verbs = [entry.verb for entry in history(subject=f"case:{row().number}")]
    assert verbs.count("reminded") == 2


def test_a_late_sweep_reminds_once_and_not_for_each_reminder_it_missed():
    cast.policy(effect={"remind_before_s": [1800, 600, 300]})
    made.opened(expires_at=made.later(hours=1).isoformat())
    assert operations.remind_one(at=made.later(minutes=58))
    assert not operations.remind_one(at=made.later(minutes=58))


def test_the_page_shows_the_chain_and_where_it_stands(desk):
    case = made.opened()
    run(made.NOON)
    chain = queries.case_page(ref=case.ref, actor=desk[0], at=made.NOON).chain
    assert [step.state for step in chain.steps] == ["done", "done", "next", "ahead", "ahead"]
    assert (chain.next_at, chain.round, chain.rounds) == (made.later(seconds=300), 1, 2)


def test_the_next_week_asks_the_next_person(desk):
    next_monday = datetime(2026, 12, 7, 9, tzinfo=UTC)
    assert queries.on_call(team="desk", at=made.NOON) == ("ana", "ben")
    assert queries.on_call(team="desk", at=next_monday) == ("ben", "ana")


@pytest.mark.parametrize("by", ["release", "wake", "sooner", "leaving"])
def test_a_chain_that_waits_for_somebody_or_for_a_rest_goes_on_when_that_is_over_early(desk, by):
    case, ana = made.opened(), desk[0]
    rests = by in {"wake", "sooner"}
    if rests:
        operations.snooze(case_id=case.id, until=made.later(hours=9), by=ana, at=made.NOON)
    else:
        operations.claim(case_id=case.id, by=ana, at=made.NOON)
        operations.claim(case_id=case.id, by=ana, at=made.later(seconds=10))
    assert run(made.later(seconds=10)) == 1  # it looked, and put itself off
    if by == "leaving":
        assert operations.free_one_of(person_id=ana.id, by=cast.ADMIN, at=made.later(seconds=20))
    elif not rests:
        operations.claim(case_id=case.id, by=ana, at=made.later(seconds=15))  # the lease is renewed
        operations.release(case_id=case.id, by=ana, at=made.later(seconds=20))
    else:
        until = made.later(minutes=5) if by == "sooner" else None
        operations.snooze(case_id=case.id, until=until, by=ana, at=made.later(seconds=20))
    again = made.later(minutes=5) if by == "sooner" else made.later(seconds=20)
    assert run(again) == 1
    assert len(steps_done()) == 1


def test_the_wait_of_a_chain_is_not_cut_short_by_a_claim_that_ends_before_it(desk):
    case = made.opened()
    run(made.NOON)
    operations.claim(case_id=case.id, by=desk[0], at=made.later(seconds=10))
    operations.release(case_id=case.id, by=desk[0], at=made.later(seconds=20))
    assert row().chain_at == made.later(seconds=300)
