import pytest

from console.audit.queries import history
from escalations import contract, operations, queries
from escalations.domain import permissions
from escalations.models import Case, Decision
from escalations.operations.pauses import BadPause, NotPaused
from escalations.vocabulary import Paused, PolicyMode
from telemetry.operations.intake import submission
from telemetry.operations.prepare import Knowledge
from telemetry.operations.store import store
from tests.escalations import cast, made
from tests.telemetry.calls import body
from tests.telemetry.calls import call as said

pytestmark = pytest.mark.django_db


def rule(**effect):
    return cast.policy("small gifts", match=cast.GIVES, effect={**cast.GIVING, **effect})


def opened(points=10, **more):
    return made.opened(**cast.gift(points), **more)


def row():
    return Case.objects.get()


def last():
    return history(subject=f"case:{row().number}")[-1]


def decide(at=made.NOON):
    return operations.decide_by_policy_one(at=at)


def pause(kind=Paused.AGENT, name="trip-booker", by=made.ANA, until=None):
    said = contract.HoldBack(reason="It runs wild.", until=until)
    return operations.pause(kind=kind, name=name, said=said, by=by, at=made.NOON)


def test_a_policy_decides_as_an_actor_of_its_own():
    """Check: auto-approved is never worded as a person's decision."""
    rule()
    case = opened()
    assert decide()
    assert not decide()
    told = queries.decision_about(case_id=case.id, actor=made.AGENT, at=made.NOON)
    assert (told.by.kind, told.by.name, told.action) == ("policy", "small gifts", "approve")
    assert told.steps[0].args == {"points": 10}
    assert (last().verb, last().actor_kind, last().actor_name) == ("policy_approved", "policy", "small gifts")
    assert row().report_due_at is not None


def test_a_policy_that_says_no_gives_its_reason():
    rule(decide={"action": "reject", "message": "Gifts are over for this year.", "undo_s": 0})
    case = opened()
    decide()
    told = queries.decision_about(case_id=case.id, actor=made.AGENT, at=made.NOON)
    assert (told.action, told.message) == ("reject", "Gifts are over for this year.")


@pytest.mark.parametrize(
    ("package", "reason"),
    [
        (cast.gift(10, allowed=["reject", "respond"]), "does not take"),
        (
            {
                **cast.gift(10),
                "failure": {
                    **cast.gift(10)["failure"],
                    "class": "unknown_outcome",
                    "idempotency_key": "key-s1",
                },
            },
            "cannot be decided",
        ),
    ],
)
def test_what_it_may_not_decide_is_left_to_people_and_says_why(package, reason):
    rule()
    made.opened(**package)
    assert decide()
    assert (row().decision, row().auto_at) == ("open", None)
    assert last().verb == "policy_passed"
    assert reason in last().detail["reason"]


def test_a_plan_that_holds_no_condition_is_never_waved_through_by_another_call():
    rule()
    small, large = cast.gift(10), cast.gift(5_000)
    made.opened(**{**small, "proposals": large["proposals"]})
    decide()
    assert row().decision == "open"


def test_a_rule_that_may_approve_only_reads_believes_no_plan_against_what_is_known():
    """An agent that calls its gift a read is believed while nobody ever saw the tool write."""
    rule(decide={**cast.GIVING["decide"], "writes": False})
    gift = cast.gift(10, step={"side_effect": "read"})
    opened_as = made.opened(**gift)
    one = said(tool="points.give", side_effect="write")
    store([submission(body(one), agent_id=7, key_id=1, at=made.NOON, knowledge=Knowledge())])
    assert decide()
    assert Case.objects.get(pk=opened_as.id).decision == "open"
    assert "may approve only what reads" in last().detail["reason"]


def test_a_live_claim_is_left_alone():
    """Check: auto job skips an item under a live claim."""
    rule()
    case = opened()
    operations.claim(case_id=case.id, by=made.ANA, at=made.NOON)
    assert not decide()
    assert decide(made.later(hours=1))
    assert row().decision == "approved"


@pytest.mark.parametrize("change", ["off", "shadow", "version", "dropped", "over"])
def test_a_rule_that_is_not_what_it_was_decides_nothing_any_more(change):
    rule()
    opened()
    at = made.NOON
    match change:
        case "off" | "shadow":
            operations.switch_policy(name="small gifts", mode=PolicyMode(change), by=cast.ADMIN, at=at)
        case "version":
            rule(queue="another")
        case "dropped":
            operations.drop_policy(name="small gifts", by=cast.ADMIN, at=at)
        case "over":
            at = made.later(days=31)
    decide(at)
    assert row().decision == "open"
    assert last().verb == "policy_passed"


def test_what_is_held_back_is_not_decided_and_goes_on_when_it_is_let_go():
    rule()
    opened()
    pause()
    assert decide()
    assert not decide()
    assert row().decision == "open"
    operations.unpause(kind=Paused.AGENT, name="trip-booker", by=made.ANA, at=made.NOON)
    assert decide()
    assert row().decision == "approved"


def test_a_pause_of_the_policy_holds_its_decisions_back_and_ends_by_itself():
    rule()
    opened()
    pause(Paused.POLICY, "small gifts", until=made.later(minutes=5))
    decide()
    assert row().decision == "open"
    assert [each.name for each in queries.pauses(at=made.NOON).pauses] == ["small gifts"]
    assert queries.pauses(at=made.later(minutes=5)).pauses == ()
    decide(made.later(minutes=5))
    assert row().decision == "approved"


def test_while_held_back_a_deadline_is_nobodys_word():
    made.opened(expires_at=made.later(seconds=60).isoformat(), on_timeout={"action": "reject"})
    pause()
    operations.expire_one(at=made.later(seconds=60))
    assert row().decision == "expired"
    assert "holds automatic decisions back: It runs wild." in Decision.objects.get().message


def test_the_page_says_that_it_is_held_back():
    case = opened()
    pause()
    shown = queries.case_page(ref=case.ref, actor=made.ANA, at=made.NOON)
    assert shown.paused == "ana holds automatic decisions back: It runs wild."


def test_holding_back_is_for_whoever_decides_and_in_the_audit():
    for stranger in (made.EVE, made.AGENT):
        with pytest.raises(permissions.NotYours):
            pause(by=stranger)
    pause()
    pause(until=made.later(hours=1))
    operations.unpause(kind=Paused.AGENT, name="trip-booker", by=cast.ADMIN, at=made.NOON)
    with pytest.raises(NotPaused):
        operations.unpause(kind=Paused.AGENT, name="trip-booker", by=cast.ADMIN, at=made.NOON)
    verbs = [entry.verb for entry in history(subject="agent:trip-booker")]
    assert verbs == ["automatic_paused", "automatic_pause_changed", "automatic_resumed"]


def test_a_pause_that_is_over_or_says_nothing_is_refused():
    with pytest.raises(BadPause):
        pause(until=made.NOON)
    with pytest.raises(BadPause):
        operations.pause(
            kind=Paused.AGENT, name="x", said=contract.HoldBack(reason=" "), by=made.ANA, at=made.NOON
        )


def test_a_policys_decision_can_be_taken_back_while_it_has_not_left():
    rule(decide={**cast.GIVING["decide"], "undo_s": 60})
    case = opened()
    decide()
    assert queries.decision_about(case_id=case.id, actor=made.AGENT, at=made.NOON) is None
    operations.retract(case_id=case.id, by=made.ANA, at=made.later(seconds=59))
    assert (row().decision, row().auto_at) == ("open", None)
    assert not decide(made.later(days=1))


def test_a_person_who_is_faster_wins():
    rule()
    case = opened()
    made.decided(case.id, proposal_id="P")
    assert not decide()
    assert Decision.objects.get().by_kind == "person"


def test_a_revision_is_asked_anew_and_by_what_it_says_now():
    rule()
    case = opened(10)
    made.revised(case.id, base_revision=1, **cast.gift(5_000))
    assert (row().auto_at, row().policy["name"]) == (None, "")
