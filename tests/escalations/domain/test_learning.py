from dataclasses import replace

import pytest

from escalations.domain import learning
from escalations.vocabulary import Action, Execution
from tests.escalations import made

ONE = learning.Past(
    ref="C-1",
    tool="points.give",
    failure_class="hard",
    code="LIMIT",
    action=Action.APPROVE,
    changed=False,
    tools=("points.look", "points.give"),
    args={"points": 10, "reason": "delay", "to": {"tier": "gold"}},
    acting_tool="points.give",
    writes=True,
    by="ana",
    decided_at=made.NOON,
    execution=Execution.EXECUTED,
)


def past(n=8, **more):
    return [replace(ONE, ref=f"C-{each}", args={**ONE.args, "points": each + 1}, **more) for each in range(n)]


def test_equal_decisions_with_good_ends_suggest_a_narrow_rule():
    (found,) = learning.suggestions(past())
    assert found.match["tool"] == "points.give"
    assert found.match["arguments"] == [
        {"path": "/points", "is": "at_least", "value": 1},
        {"path": "/points", "is": "at_most", "value": 8},
        {"path": "/reason", "is": "equal", "value": "delay"},
        {"path": "/to/tier", "is": "equal", "value": "gold"},
    ]
    assert found.decide == {"action": "approve", "tools": ["points.look", "points.give"], "writes": True}
    assert (len(found.refs), found.people) == (8, ("ana",))


@pytest.mark.parametrize(
    "history",
    [
        past(7),
        [*past(), replace(ONE, action=Action.REJECT)],
        [*past(), replace(ONE, changed=True, action=Action.EDIT)],
        [*past(), replace(ONE, execution=Execution.FAILED)],
        [*past(), replace(ONE, execution=Execution.NO_REPORT)],
        [*past(), replace(ONE, tools=("points.give",))],
        past(tool=""),
        past(acting_tool=""),
        [replace(each, args={}) for each in past()],
        past(action=Action.RESPOND),
    ],
    ids=[
        "too few",
        "one contrary",
        "one edited",
        "one failed",
        "one silent",
        "another plan",
        "no tool",
        "several tools",
        "nothing in common",
        "an answer",
    ],
)
def test_nothing_is_suggested_where_history_does_not_speak_for_it(history):
    """Check: rule with an empty or missing argument condition is refused; it is not even suggested."""
    assert learning.suggestions(history) == ()


def test_a_no_is_learned_with_the_reason_people_gave():
    (found,) = learning.suggestions(past(action=Action.REJECT, message="Over the limit.", tools=()))
    assert found.decide == {"action": "reject", "tools": [], "message": "Over the limit."}


def test_causes_are_learned_apart():
    found = learning.suggestions([*past(), *past(code="OTHER", action=Action.REJECT, message="No.")])
    assert [each.decide["action"] for each in found] == ["approve", "reject"]


def test_an_argument_that_is_not_always_there_or_means_too_much_is_no_condition():
    args = [{"a": n, "b": f"word {n}", "c": True} for n in range(9)] + [{"b": "x", "c": True}]
    assert learning.conditions_of(args) == [{"path": "/c", "is": "equal", "value": True}]
    few = [{"b": word} for word in ("x", "y", "x")]
    assert learning.conditions_of(few) == [{"path": "/b", "is": "one_of", "value": ["x", "y"]}]


def test_the_same_history_gives_the_same_id():
    assert learning.suggestions(past())[0].id == learning.suggestions(past(by="ben"))[0].id
