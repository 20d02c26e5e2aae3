import pytest
from pydantic import ValidationError

from console.audit.queries import history
from console.kit.wire import Malformed
from escalations import contract, operations, queries
from escalations.domain import lifecycle, permissions
from escalations.models import Case, Policy
from escalations.operations.policies import CannotBeKept, NoSuchPolicy, PolicyOver
from escalations.vocabulary import Comparison, PolicyMode
from tests.escalations import made

pytestmark = pytest.mark.django_db
ADMIN = type(made.ANA)(made.ANA.kind, "20", "root", frozenset({"admin"}))
LARGE = [{"path": "points_max", "is": "more_than", "value": 20_000}]


def policy(match=None, effect=None, **more):
    told = {"match": match or {"tool": "upgrade.*"}, "effect": effect or {}, **more}
    return contract.SetPolicy.model_validate_json(made.as_json(told))


def set_(name="upgrades", by=ADMIN, **more):
    return operations.set_policy(name=name, said=policy(**more), by=by, at=made.NOON)


@pytest.mark.parametrize(
    "match",
    [
        {},
        {"tool": "*"},
        {"arguments": []},
        {"arguments": [{"path": "", "is": "equal", "value": 1}]},
        {"arguments": [{"path": "amount", "is": "equal"}]},
        {"arguments": [{"path": "amount", "is": "equal", "value": ""}]},
        {"arguments": [{"path": "amount", "is": "equal", "value": None}]},
        {"arguments": [{"path": "amount", "is": "more_than", "value": "100"}]},
        {"arguments": [{"path": "amount", "is": "one_of", "value": []}]},
        {"arguments": [{"path": "name", "is": "like", "value": "*"}]},
        {"arguments": [{"path": "name", "is": "like", "value": "?*"}]},
        {"arguments": [{"path": "name", "is": "like", "value": "[!]~]*"}]},
        {"tool": "?*"},
        {"tool": "[!~]*"},
        {"arguments": [{"is": "equal", "value": 1}]},
    ],
    ids=str,
)
def test_a_rule_that_would_hold_for_everything_is_refused(match):
    """Check: rule with an empty or missing argument condition is refused."""
    with pytest.raises(ValidationError):
        policy(match=match) if match else contract.SetPolicy.model_validate_json(
            '{"match": {}, "effect": {}}'
        )


@pytest.mark.parametrize("wild", ["*", "**", "?*", "[!~]*", "[]*]?"])
def test_a_pattern_without_a_character_of_its_own_names_no_tool(wild):
    decide = {"action": "approve", "tools": ["upgrade.request"], "writes": True}
    over = made.later(days=1).isoformat()
    with pytest.raises(ValidationError, match="a wildcard alone"):
        policy(effect={"tools_may_become": ["upgrade.request", wild]})
    with pytest.raises(ValidationError, match="names a tool and at least one argument"):
        policy(match={"tool": wild, "arguments": LARGE}, effect={"decide": decide}, expires_at=over)
    narrow = {"tool": f"upgrade{wild}", "arguments": LARGE}
    assert policy(match=narrow, effect={"decide": decide, "tools_may_become": [f"u{wild}"]}, expires_at=over)


@pytest.mark.parametrize("amount", ["1e999", "-1e999", "NaN", "9007199254740992", "1e300", "9" * 400])
@pytest.mark.parametrize("is_", ["more_than", "less_than", "at_least", "at_most"])
def test_an_amount_is_finite_and_one_that_every_database_keeps(is_, amount):
    told = '{"match": {"arguments": [{"path": "a", "is": "%s", "value": %s}]}, "effect": {}}'
    with pytest.raises(Malformed) as refused:
        contract.SetPolicy.read((told % (is_, amount)).encode())
    assert refused.value.errors[0].field == "match.arguments.0"
    assert contract.SetPolicy.read((told % (is_, 2**53 - 1)).encode())


def test_a_default_that_approves_is_no_policy():
    with pytest.raises(ValidationError):
        policy(effect={"on_timeout": "approve"})


@pytest.mark.parametrize(
    ("match", "falls"),
    [
        ({"tool": "upgrade.*"}, True),
        ({"tool": "pay.*"}, False),
        ({"trigger": "unknown_outcome", "class": "unknown_outcome", "severity": "high"}, True),
        ({"severity": "low"}, False),
        ({"agent": "trip-booker"}, True),
        ({"agent": "group-desk"}, False),
        ({"risk": "none"}, True),
        ({"tool": "upgrade.*", "arguments": LARGE}, True),
        ({"tool": "fare.*", "arguments": LARGE}, False),
        ({"arguments": [{"path": "points_max", "is": "less_than", "value": 100}]}, False),
        ({"arguments": [{"path": "not.there", "is": "not_equal", "value": 1}]}, False),
        ({"arguments": [{"path": "seat_pref", "is": "one_of", "value": ["any", "window"]}]}, True),
        ({"arguments": [{"path": "flight", "is": "like", "value": "MU*"}]}, True),
        ({"arguments": [{"path": "flight", "is": "more_than", "value": 1}]}, False),
    ],
)
def test_a_rule_holds_for_what_it_says_and_nothing_else(match, falls):
    set_(match=match, effect={"queue": "travel desk"})
    made.opened()
    assert Case.objects.get().queue == ("travel desk" if falls else "")


def test_the_first_rule_that_holds_is_copied_and_keeps_what_it_was():
    set_("late", effect={"queue": "late"}, position=2)
    set_("early", effect={"queue": "early", "deadline_s": 600}, position=1)
    case = made.opened()
    row = Case.objects.get()
    assert (row.queue, row.expires_at) == ("early", made.later(seconds=600))
    set_("early", effect={"queue": "another"}, position=1)
    row.refresh_from_db()
    assert (row.policy["name"], row.policy["version"], row.queue) == ("early", 1, "early")
    assert queries.case_page(ref=case.ref, actor=made.ANA, at=made.NOON).policy == "early v1"


def test_an_agents_earlier_deadline_stays():
    set_(effect={"deadline_s": 7200})
    made.opened(expires_at=made.later(seconds=60).isoformat())
    assert Case.objects.get().expires_at == made.later(seconds=60)


def test_a_shadow_says_what_it_would_have_done_and_one_that_is_off_or_over_says_nothing():
    set_("watching", effect={"queue": "x"}, mode="shadow")
    set_("switched off", effect={"queue": "y"}, mode="off")
    set_("over", effect={"queue": "z"}, expires_at=made.NOON.isoformat())
    made.opened()
    row = Case.objects.get()
    assert (row.queue, row.policy["name"], row.policy["shadows"]) == ("", "", ["watching"])


def test_a_policys_default_action_replaces_the_agents():
    set_(effect={"on_timeout": "reject", "deadline_s": 60})
    made.opened()
    operations.expire_one(at=made.later(seconds=60))
    assert Case.objects.get().decision == "rejected"


def test_a_backtest_names_the_cases_and_how_they_ended():
    made.reported(made.decided(made.opened(key="a").id), "executed")
    made.opened(key="b", title="Other", failure={"call_id": "c", "tool": "x"}, proposals=[])
    found = queries.backtest(match={"tool": "upgrade.*"})
    assert found.looked_at == 2
    assert [(hit.decision, hit.execution, hit.decided_by) for hit in found.hits] == [
        ("approved", "executed", "ana")
    ]


def test_policies_are_for_administrators_and_in_the_audit():
    with pytest.raises(permissions.NotYours):
        set_(by=made.ANA)
    with pytest.raises(permissions.NotYours):
        operations.drop_policy(name="upgrades", by=made.AGENT, at=made.NOON)
    set_()
    assert set_(effect={"quorum": 2}).version == 2
    operations.drop_policy(name="upgrades", by=ADMIN, at=made.NOON)
    with pytest.raises(NoSuchPolicy):
        operations.drop_policy(name="upgrades", by=ADMIN, at=made.NOON)
    verbs = [entry.verb for entry in history(subject="policy:upgrades")]
    assert verbs == ["policy_made", "policy_set", "policy_dropped"]
    assert Policy.objects.count() == 0


@pytest.mark.parametrize(
    ("value", "flag"),
    [
        (2**53, "big_integer"),
        ([1, float("inf")], "not_finite"),
        ("a\x00b", "nul"),
        ("a" * 20_001, "truncated"),
    ],
    ids=["integer", "infinite", "nul", "long"],
)
def test_a_rule_that_cannot_be_stored_as_it_was_said_is_refused_and_nothing_changes(value, flag):
    before = set_(match={"arguments": [{"path": "a", "is": "equal", "value": 1}]})
    condition = contract.ArgumentCondition.model_validate(
        {"path": "a", "is": Comparison.NOT_EQUAL, "value": value}
    )
    said = contract.SetPolicy(
        match=contract.PolicyMatch(arguments=(condition,)), effect=contract.PolicyEffect()
    )
    with pytest.raises(CannotBeKept) as refused:
        operations.set_policy(name="upgrades", said=said, by=ADMIN, at=made.NOON)
    assert (refused.value.kind, refused.value.errors[0].field) == ("invalid", "match")
    assert refused.value.errors[0].constraint == flag
    assert Policy.objects.get().match == before.match


def test_an_effect_that_cannot_be_stored_as_it_was_said_is_refused():
    with pytest.raises(CannotBeKept) as refused:
        set_(effect={"queue": "travel\x00desk"})
    assert refused.value.errors[0].field == "effect"
    assert not Policy.objects.exists()


def test_a_policy_may_ask_for_four_eyes_and_for_a_claim():
    set_(effect={"four_eyes": True, "require_claim": True})
    case = made.opened()
    with pytest.raises(lifecycle.NotAllowedNow):
        made.decided(case.id)
    Case.objects.update(agent_owner_id=made.ANA.id)
    operations.claim(case_id=case.id, by=made.ANA, at=made.NOON)
    with pytest.raises(permissions.FourEyes):
        made.decided(case.id)


@pytest.mark.parametrize("mode", ["on", "shadow"])
def test_a_policy_that_has_expired_is_not_switched_on_as_if_it_did_something(mode):
    set_(expires_at=made.later(days=30).isoformat(), mode="off")
    with pytest.raises(PolicyOver):
        operations.switch_policy(name="upgrades", mode=PolicyMode(mode), by=ADMIN, at=made.later(days=30))
    assert Policy.objects.get().mode == "off"
    operations.switch_policy(name="upgrades", mode=PolicyMode(mode), by=ADMIN, at=made.later(days=29))
    operations.switch_policy(name="upgrades", mode=PolicyMode.OFF, by=ADMIN, at=made.later(days=31))
