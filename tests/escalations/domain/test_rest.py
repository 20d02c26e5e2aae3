import pytest

from escalations.domain import package, plan, rest
from tests.escalations import made


def compensations():
    """Three steps that take back, in order, what three calls did."""
    steps = [
        made.step("c1", "hotel.cancel", args={"id": "H"}, compensates="call-3"),
        made.step("c2", "fare.release", args={"id": "F"}, compensates="call-2", depends_on=["c1"]),
        made.step("c3", "card.refund", args={"id": "P"}, compensates="call-1", depends_on=["c2"]),
    ]
    return {"id": "U", "kind": "compensate", "title": "Undo all", "steps": steps}


PACKAGE = made.package(proposals=[compensations()], failure=None)
DECIDED = [{**step, "run": True, "edited": False, "reversible": False} for step in compensations()["steps"]]


def told(**statuses):
    return {name: {"id": name, "status": status, "call_id": f"r-{name}"} for name, status in statuses.items()}


def test_two_of_three_failed_leaves_the_rest_with_the_failing_steps_effect_unknown():
    """Check: compensation 2 of 3 fails: the rest of the plan is kept, the failing step's own effect is unknown."""
    left = rest.rest_of(PACKAGE, DECIDED, told(c1="succeeded", c2="failed"))
    (proposal,) = left["proposals"]
    assert [step["id"] for step in proposal["steps"]] == ["c2", "c3"]
    assert [step["depends_on"] for step in proposal["steps"]] == [[], ["c2"]]
    assert proposal["kind"] == "compensate"
    assert [(step["tool"], step["status"]) for step in left["steps"][-2:]] == [
        ("hotel.cancel", "succeeded"),
        ("fare.release", "unknown_outcome"),
    ]
    assert [effect.tool for effect in plan.unknown_effects(left)] == ["fare.release"]
    package.check(left)


@pytest.mark.parametrize(
    ("failure", "doubtful"), [({"class": "hard"}, False), ({"class": "internal"}, True), (None, True)]
)
def test_a_failure_that_proves_nothing_was_done_leaves_no_doubt(failure, doubtful):
    reported = told(c1="failed")
    reported["c1"]["failure"] = failure
    left = rest.rest_of(PACKAGE, DECIDED, reported)
    assert bool(plan.unknown_effects(left)) is doubtful


def test_every_effect_keeps_its_key_and_what_was_edited_its_arguments():
    edited = [{**DECIDED[0], "args": {"id": "other"}, "idempotency_key": "edit-1"}, *DECIDED[1:]]
    left = rest.rest_of(PACKAGE, edited, {})
    assert left["proposals"][0]["steps"][0]["args"] == {"id": "other"}
    assert [step["idempotency_key"] for step in left["proposals"][0]["steps"]] == [
        "edit-1",
        "key-c2",
        "key-c3",
    ]


def test_what_people_skipped_is_not_left_over_and_a_done_plan_has_no_rest():
    skipped = [DECIDED[0], {**DECIDED[1], "run": False}, {**DECIDED[2], "run": False}]
    assert rest.rest_of(PACKAGE, skipped, told(c1="succeeded")) is None
    assert rest.rest_of(PACKAGE, DECIDED, told(c1="succeeded", c2="empty", c3="executed")) is None


def test_a_read_that_failed_leaves_nothing_unknown():
    look = [{**DECIDED[0], "side_effect": "read"}]
    left = rest.rest_of(PACKAGE, look, told(c1="failed"))
    assert plan.unknown_effects(left) == ()


def conditional(**ended):
    """Look it up; send it only where nothing is found; verify what was sent; tell somebody in any case."""
    steps = [
        made.step("look", "fare.search", side_effect="read"),
        made.step("send", "fare.buy", depends_on=["look"], run_if={"step": "look", "is": "empty"}),
        made.step("verify", "fare.get", side_effect="read", depends_on=["send"]),
        made.step("tell", "mail.send"),
    ]
    packed = made.package(
        proposals=[{"id": "U", "kind": "retry", "title": "Look first", "steps": steps}], failure=None
    )
    decided = [{**step, "run": True, "edited": False, "reversible": False} for step in steps]
    left = rest.rest_of(packed, decided, told(**ended))
    return [(step["id"], step["run_if"]) for step in left["proposals"][0]["steps"]]


@pytest.mark.parametrize("word", ["skipped", "never_executed", None])
def test_what_its_condition_ruled_out_is_not_left_over_nor_what_waited_for_it(word):
    silent = {"send": word, "verify": word} if word else {}
    assert conditional(look="succeeded", tell="failed", **silent) == [("tell", None)]


def test_a_condition_that_holds_is_settled_and_one_that_is_still_open_stays():
    wanted = {"step": "look", "is": "empty"}
    assert conditional(look="empty", send="failed") == [("send", None), ("verify", None), ("tell", None)]
    assert conditional(look="failed", tell="succeeded") == [
        ("look", None),
        ("send", wanted),
        ("verify", None),
    ]


def test_what_failed_and_was_done_another_way_is_not_done_a_second_time():
    steps = [
        made.step("first", "fare.buy"),
        made.step("instead", "rail.buy", run_if={"step": "first", "is": "failed"}),
        made.step("tell", "mail.send"),
    ]
    packed = made.package(
        proposals=[{"id": "U", "kind": "retry", "title": "Buy", "steps": steps}], failure=None
    )
    decided = [{**step, "run": True, "edited": False, "reversible": False} for step in steps]
    left = rest.rest_of(packed, decided, told(first="failed", instead="succeeded", tell="failed"))
    assert [step["id"] for step in left["proposals"][0]["steps"]] == ["tell"]
    both = rest.rest_of(packed, decided, told(first="failed", instead="failed"))
    assert [step["id"] for step in both["proposals"][0]["steps"]] == ["first", "instead", "tell"]
    assert rest.rest_of(packed, decided, told(first="failed", instead="succeeded", tell="succeeded")) is None
    assert rest.rest_of(packed, decided, told(first="succeeded", instead="skipped", tell="succeeded")) is None
