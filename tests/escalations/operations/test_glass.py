import pytest

from console.audit.queries import history
from console.notices.models import Notice
from escalations import operations, queries
from escalations.domain import glass, permissions
from escalations.domain.lifecycle import AlreadyDecided
from escalations.models import Case, Decision, Vote
from tests.escalations import cast, made

pytestmark = pytest.mark.django_db
WHY = "The plane leaves in ten minutes."


def break_(case, by=cast.ADMIN, *, why=WHY, key="d-1", **more):
    return made.decided(case.id, by=by, break_glass=why, key=key, **more)


def opened(**effect):
    cast.policy(effect={"break_glass": ["admin"], **effect})
    return made.opened()


def last():
    return history(subject=f"case:{Case.objects.get().number}")[-1]


def test_the_owner_decides_with_a_reason_where_the_policy_lets_them_and_everybody_hears_of_it():
    case = opened(four_eyes=True)
    Case.objects.update(agent_owner_id=cast.ADMIN.id)
    with pytest.raises(permissions.FourEyes):
        made.decided(case.id, by=cast.ADMIN)
    told = break_(case)
    assert told.by.name == "root"
    entry = last()
    assert (entry.verb, entry.detail["broke"], entry.detail["why"]) == ("broke_glass", ["four_eyes"], WHY)
    assert entry.detail["decision"] == "approved"
    notice = Notice.objects.get(topic="break_glass")
    assert (notice.roles, notice.not_to, notice.urgency) == (["admin"], cast.ADMIN.id, "urgent")


def test_one_alone_decides_where_two_should_agree():
    case = opened(quorum=2)
    assert break_(case).action == "approve"
    assert Vote.objects.count() == 0
    assert last().detail["broke"] == ["quorum"]


@pytest.mark.parametrize("by", [made.ANA, made.EVE, made.AGENT])
def test_nobody_else_breaks_it(by):
    case = opened(quorum=2)
    with pytest.raises(permissions.Refused) as refused:
        break_(case, by=by)
    assert refused.value.code in {"BREAK_GLASS_NOT_ALLOWED", "AGENTS_DO_NOT_DECIDE"}
    assert Decision.objects.count() == 0


def test_a_case_whose_policy_says_nothing_has_no_glass():
    with pytest.raises(glass.GlassNotYours):
        break_(made.opened())


def test_it_asks_for_a_reason_and_for_a_need():
    with pytest.raises(glass.GlassNeedsReason):
        break_(opened(quorum=2), why="quickly")
    opened()
    plain = made.opened(key="b", title="Another")
    with pytest.raises(glass.GlassNotNeeded):
        break_(plain)


def test_the_same_key_again_gives_the_same_decision_and_no_second_entry():
    case = opened(quorum=2)
    first = break_(case)
    assert break_(case).decision_id == first.decision_id
    verbs = [entry.verb for entry in history(subject=f"case:{Case.objects.get().number}")]
    assert verbs.count("broke_glass") == 1


def test_it_overrides_no_decision():
    case = opened(quorum=2)
    made.decided(case.id, by=made.ANA, key="a")
    made.decided(case.id, by=made.BEN, key="b")
    with pytest.raises(AlreadyDecided):
        break_(case, key="c")
    assert last().verb == "decision_refused"


def test_the_page_offers_it_to_whom_it_is_for():
    case = opened(quorum=2)
    offered = {
        who.name: queries.case_page(ref=case.ref, actor=who, at=made.NOON).break_glass
        for who in (cast.ADMIN, made.ANA)
    }
    assert offered == {"root": ("quorum",), "ana": ()}
    operations.cancel(case_id=case.id, reason="", by=made.AGENT, at=made.NOON)
    assert queries.case_page(ref=case.ref, actor=cast.ADMIN, at=made.NOON).break_glass == ()
