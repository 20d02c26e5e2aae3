"""What happens to a case is told once to whom it concerns, with no argument in it, and not once it is over."""

from datetime import timedelta

import pytest
from django.conf import settings

from console.kit.actor import Actor, ActorKind
from console.notices.models import Notice
from console.notices.queries.wanted import still_wanted
from escalations import operations
from escalations.models import Case
from tests import factories
from tests.escalations import made
from tests.escalations.made import NOON

pytestmark = pytest.mark.django_db


def told(topic):
    return list(Notice.objects.filter(topic=topic).order_by("at", "once"))


def wanted(notice, person_id=""):
    return still_wanted(topic=notice.topic, subject_key=notice.subject_key, person_id=person_id)


def person(name):
    return Actor(ActorKind.PERSON, str(factories.person(name, "operator").pk), name, frozenset({"operator"}))


def test_an_opened_case_is_told_to_its_queue_once_and_until_it_is_decided():
    case = made.opened(title="Refund twice?")
    made.opened(title="Refund twice?")  # the same key again
    (notice,) = told("case_opened")
    assert (notice.queue, notice.people, notice.link) == ("", [], f"/cases/{Case.objects.get()}/")
    assert wanted(notice)
    made.decided(case.id)
    assert not wanted(notice)


def test_a_notice_holds_no_argument_of_anybodys():
    made.opened(title="Refund twice?")
    (notice,) = told("case_opened")
    assert set(notice.words) <= {"ref", "title", "tool", "queue", "agent", "state"}


def test_the_next_revision_after_a_decision_is_told_again_and_one_before_it_is_not():
    case = made.opened()
    made.revised(case.id, base_revision=1, title="Another title")
    assert len(told("case_opened")) == 1
    decided = made.decided(case.id, base_revision=2)
    made.reported(decided, "partial")
    made.revised(case.id, base_revision=2, title="What is left")
    assert [notice.words["title"] for notice in told("case_opened")][1:] == ["What is left"]


def test_a_case_that_is_given_to_somebody_is_told_to_them_and_not_to_whoever_takes_it():
    case, ben, cleo = made.opened(), person("ben"), person("cleo")
    operations.assign(case_id=case.id, to="ben", by=ben, at=NOON)
    assert told("case_assigned") == []
    operations.assign(case_id=case.id, to="cleo", by=ben, at=NOON)
    (notice,) = told("case_assigned")
    assert notice.people == [cleo.id]
    assert wanted(notice, cleo.id)
    operations.assign(case_id=case.id, to="", by=ben, at=NOON)
    assert not wanted(notice, cleo.id)


def test_what_did_not_end_well_is_told_to_whoever_decided_and_to_the_queue_until_it_is_resolved():
    ben = person("ben")
    case = made.opened()
    made.reported(made.decided(case.id, by=ben), "failed")
    (notice,) = told("case_attention")
    assert (notice.people, notice.queue, notice.words["state"]) == ([ben.id], "", "failed")
    assert wanted(notice)
    operations.resolve(case_id=case.id, note="done by hand", by=ben, at=NOON)
    assert not wanted(notice)


def test_a_good_end_is_no_news():
    made.reported(made.decided(made.opened().id), "executed")
    assert told("case_attention") == []


def test_silence_after_a_decision_is_told():
    made.decided(made.opened().id)
    later = NOON + timedelta(seconds=settings.NO_REPORT_AFTER_S + 1)
    assert operations.no_report_one(at=later)
    assert [notice.words["state"] for notice in told("case_attention")] == ["no_report"]


def test_a_vote_that_is_still_wanted_is_told_and_not_asked_of_whoever_gave_theirs():
    case = made.opened()
    Case.objects.update(policy={"quorum": 2})
    ben = person("ben")
    made.decided(case.id, by=ben)
    (notice,) = told("vote_wanted")
    assert notice.not_to == ben.id
    assert not wanted(notice, ben.id)
    assert wanted(notice, "12345")


def test_a_webhook_that_takes_nothing_is_told_once_a_day():
    decision = made.decided(made.opened().id)
    for _try in range(3):
        operations.telling.tell_of_failing_webhook(Case.objects.get(), at=NOON)
    (notice,) = told("webhook_failing")
    assert (notice.link, notice.roles) == (f"/agents/{Case.objects.get().agent_name}/", ["*"])
    assert decision is not None


def test_a_case_that_is_not_there_is_wanted_by_nobody():
    assert not still_wanted(
        topic="case_opened", subject_key="case:00000000-0000-0000-0000-000000000000", person_id=""
    )
    assert still_wanted(topic="case_opened", subject_key="case:nonsense", person_id="")


def test_what_is_open_again_because_a_decision_was_taken_back_is_told_again(settings):
    """Whoever took it back may be gone; and what was told before the decision is not wanted any more."""
    settings.UNDO_WINDOW_S = 60
    case = made.opened()
    made.decided(case.id)
    operations.retract(case_id=case.id, by=made.ANA, at=NOON)
    assert [wanted(notice) for notice in told("case_opened")] == [True, True]


def test_a_vote_is_asked_for_again_after_a_decision_was_taken_back(settings):
    settings.UNDO_WINDOW_S = 60
    case = made.opened()
    Case.objects.update(policy={"quorum": 2})
    made.decided(case.id, key="a", by=made.ANA)
    made.decided(case.id, key="b", by=made.BEN)
    operations.retract(case_id=case.id, by=made.ANA, at=NOON)
    made.decided(case.id, key="c", by=made.BEN)
    assert [notice.not_to for notice in told("vote_wanted")] == [made.ANA.id, made.BEN.id]
