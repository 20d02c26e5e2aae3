"""Requests and answers of other families, as golden files: a changed one fails until it is committed on purpose.

Each file holds a request, its package and, for each kind of decision, the answer; `kind` where it is another way to
ask one family. `tests/real/test_kinds.py` tries the answers on the packages they are for.
"""

import json
from pathlib import Path

import pytest

from escalations import contract, operations, queries
from escalations.domain.kinds import FAMILIES, NoSuchKind, NotThisKind, packaged
from escalations.domain.lifecycle import ActionNotOffered
from tests.escalations import made

GOLDEN = Path(__file__).parent / "kinds"
EFFECTS = {"search": {"side_effect": "read"}}
NO = {"action": "reject", "message": "Too costly"}
SAYINGS = {
    "approve": {"action": "approve"},
    "edit": {"action": "edit"},
    "reject": NO,
    "respond": {"action": "respond", "answer": {"seat": "window"}},
    "expired": None,
}
NAMES = sorted(path.stem for path in GOLDEN.glob("*.json"))
pytestmark = pytest.mark.django_db


def golden(name):
    return {"kind": name, **json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))}


def opened(name, request):
    told = {"key": f"{name}-1", "trace_id": "t", "effects": EFFECTS, "request": request}
    said = contract.AskInKind.model_validate_json(json.dumps(told))
    return operations.open_in_kind(
        kind=golden(name)["kind"], said=said, by=made.AGENT, at=made.NOON
    ).escalation


def answered(name, request, saying):
    """Decide a case of this request and give the answer in kind, or the code of the refusal."""
    case = opened(name, request)
    said = SAYINGS[saying]
    if said is None:
        operations.expire_one(at=made.later(days=2))
        return queries.answer_in_kind(case_id=case.id, actor=made.AGENT, at=made.later(days=2)).answer
    more = {"proposal_id": None, **said}
    if saying == "edit":
        step = queries.one(case_id=case.id, actor=made.AGENT, at=made.NOON).package["proposals"]
        more["steps"] = [{"id": step[0]["steps"][0]["id"], "args": {"to": "PEK"}}] if step else []
    try:
        made.decided(case.id, key=saying, **more)
    except ActionNotOffered as refusal:
        return refusal.code
    return queries.answer_in_kind(case_id=case.id, actor=made.AGENT, at=made.NOON).answer


def test_every_family_has_a_golden_and_every_golden_a_family():
    assert {golden(name)["kind"] for name in NAMES} == set(FAMILIES)
    assert set(FAMILIES) <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_request_becomes_the_package_we_promised(name):
    kept = golden(name)
    assert packaged(kept["kind"], kept["request"], EFFECTS, key="k") == kept["package"]


@pytest.mark.parametrize("saying", sorted(SAYINGS))
@pytest.mark.parametrize("name", NAMES)
def test_a_decision_becomes_the_answer_we_promised(name, saying):
    kept = golden(name)
    assert answered(name, kept["request"], saying) == kept["answers"][saying]


@pytest.mark.parametrize("saying", ["reject", "expired"])
@pytest.mark.parametrize("name", NAMES)
def test_a_no_is_an_explicit_no_with_its_reason_and_silence_is_none(name, saying):
    """Check: reject maps to an explicit reject in every adapter, never to a fallback option."""
    answers = golden(name)["answers"]
    said = answered(name, golden(name)["request"], saying)
    for yes in ('"approved": true', '"approve": true', '"type": "approve"', '"type": "accept"', ": true"):
        assert yes not in json.dumps(said)
    assert said != answers["expired" if saying == "reject" else "reject"]
    if not name.startswith("mcp"):  # its decline carries no words
        assert ("Too costly" in json.dumps(said)) == (saying == "reject")


@pytest.mark.parametrize("name", ["openai_agents", "openai_agents_raw", "vercel_ai", "vercel_ai_result"])
def test_where_the_other_side_cannot_carry_an_edit_it_is_not_offered_and_says_why(name):
    package = golden(name)["package"]
    assert "edit" not in package["allowed"]
    assert "cannot carry" in package["context"]["cannot"]


@pytest.mark.parametrize("name", sorted(FAMILIES))
@pytest.mark.parametrize(
    "request_", [{}, {"message": 7}, {"action_requests": [1]}, {"id": "x", "metadata": []}]
)
def test_a_request_of_another_shape_is_refused(name, request_):
    with pytest.raises(NotThisKind):
        packaged(name, request_, {}, key="k")


def test_a_kind_that_is_not_known_is_not_there():
    with pytest.raises(NoSuchKind):
        packaged("carrier pigeon", {}, {}, key="k")
    case = made.opened()
    made.decided(case.id, "reject")
    with pytest.raises(NoSuchKind):
        queries.answer_in_kind(case_id=case.id, actor=made.AGENT, at=made.NOON)
