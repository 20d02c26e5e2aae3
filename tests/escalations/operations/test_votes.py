import pytest

from console.audit.queries import history
from escalations import operations, queries
from escalations.domain import lifecycle
from escalations.domain.votes import AlreadyVoted
from escalations.models import Case, Decision, Vote
from escalations.operations.opening import IdempotencyConflict
from escalations.vocabulary import Verb
from tests.escalations import made

pytestmark = pytest.mark.django_db
CY = type(made.ANA)(made.ANA.kind, "14", "cy", frozenset({"operator"}))
EDIT = {"steps": [{"id": "s2", "args": {"flight": "MU5138", "points_max": 1}}]}


@pytest.fixture
def case():
    opened = made.opened()
    Case.objects.update(policy={"quorum": 2})
    return opened


def vote(case, action="approve", by=made.ANA, key=None, **more):
    said = made.decision(action, key=key or f"{by.name}-{action}", **more)
    return operations.decide(case_id=case.id, said=said, by=by, at=made.NOON)


def test_one_vote_decides_nothing_and_the_second_that_agrees_does(case):
    first = vote(case)
    assert first.decision is None
    assert (first.vote.votes, first.vote.quorum, first.vote.disputed) == (1, 2, False)
    assert Case.objects.get().decision == "open"
    second = vote(case, by=made.BEN, message="I agree")
    assert (second.decision.action, second.decision.by.name) == ("approve", "ana, ben")
    assert Decision.objects.count() == 1


def test_votes_that_differ_are_a_state_of_their_own_and_a_further_vote_settles_it(case):
    """Check: quorum outcome is its own field, votes are separate rows."""
    vote(case)
    assert vote(case, "reject", by=made.BEN).vote.disputed
    row = Case.objects.get()
    assert (row.decision, row.execution, row.decided_at) == ("disputed", "not_started", None)
    assert Vote.objects.count() == 2
    assert vote(case, "reject", by=CY, message="Too costly").decision.by.name == "ben, cy"
    verbs = [entry.verb for entry in history(subject=f"case:{row.number}")]
    assert verbs == ["opened", "voted", "disputed", "rejected"]


def test_the_same_plan_with_other_arguments_is_another_vote(case):
    vote(case, "edit", **EDIT)
    other = {"steps": [{"id": "s2", "args": {"flight": "MU5138", "points_max": 2}}]}
    assert vote(case, "edit", by=made.BEN, **other).vote.disputed
    assert vote(case, "edit", by=CY, **EDIT).decision.steps[1].args["points_max"] == 1


def test_nobody_votes_twice_but_may_ask_again(case):
    assert vote(case).created
    again = vote(case)
    assert (again.created, again.vote.votes) == (False, 1)
    with pytest.raises(AlreadyVoted):
        vote(case, "reject")
    assert Vote.objects.count() == 1


@pytest.mark.parametrize(
    "other",
    [
        {"action": "reject"},
        {"action": "approve", "message": "Now with a word"},
        {"action": "edit", **EDIT},
        {"action": "approve", "base_revision": 2},
    ],
    ids=str,
)
def test_a_vote_under_the_same_key_with_another_content_is_refused(case, other):
    vote(case, key="k-1")
    with pytest.raises(IdempotencyConflict) as refused:
        vote(case, key="k-1", **other)
    assert (refused.value.kind, refused.value.code) == ("conflict", "IDEMPOTENCY_CONFLICT")
    assert Vote.objects.get().action == "approve"
    assert vote(case, key="k-1").vote.votes == 1


def test_an_edit_that_comes_a_second_time_is_the_same_vote(case):
    amounts = {"steps": [{"id": "s2", "args": {"flight": "MU5138", "points_max": 1.0}}]}
    assert vote(case, "edit", key="k-1", **amounts).created
    assert not vote(case, "edit", key="k-1", **amounts).created


def test_votes_are_blind_until_they_are_settled_or_disputed(case):
    vote(case)
    seen = queries.case_page(ref=case.ref, actor=made.BEN, at=made.NOON)
    assert (seen.votes.given, seen.votes.mine, seen.votes.votes) == (1, "", ())
    assert "approve" not in repr([line.detail for line in seen.history])
    own = queries.case_page(ref=case.ref, actor=made.ANA, at=made.NOON)
    assert (own.votes.mine, own.votes.votes) == ("approve", ())
    vote(case, "reject", by=made.BEN)
    shown = queries.case_page(ref=case.ref, actor=CY, at=made.NOON)
    assert [(each.by_name, each.action) for each in shown.votes.votes] == [
        ("ana", "approve"),
        ("ben", "reject"),
    ]
    assert shown.why_not[Verb.DECIDE] is None


def test_a_new_revision_asks_everybody_again(case):
    vote(case)
    made.revised(case.id, base_revision=1, title="Changed")
    assert vote(case, base_revision=2, key="ana-2").decision is None
    assert vote(case, by=made.BEN, base_revision=2).decision.revision == 2


def test_a_disputed_case_expires_like_an_open_one(case):
    vote(case)
    vote(case, "reject", by=made.BEN)
    assert operations.expire_one(at=made.later(days=2))
    assert Case.objects.get().decision == "expired"
    with pytest.raises(lifecycle.AlreadyDecided):
        vote(case, by=CY)


def test_what_is_taken_back_asks_everybody_again(case, settings):
    settings.UNDO_WINDOW_S = 60
    vote(case)
    vote(case, by=made.BEN)
    operations.retract(case_id=case.id, by=made.BEN, at=made.NOON)
    assert vote(case, "reject", key="ana-2").vote.votes == 1
