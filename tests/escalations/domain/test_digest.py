import json
from pathlib import Path
from uuid import UUID

import pytest

from console.kit.canonical import NotCanonical
from escalations.domain.digest import args_digest, decision_uuid, edited_key

VECTORS = json.loads((Path(__file__).parents[2] / "contract" / "digests.json").read_text("utf-8"))["vectors"]
CASE = UUID("41db785b-0ed7-431b-bb6f-e34c97e03f1e")


def vector(name):
    return next(each for each in VECTORS if each["name"] == name)


@pytest.mark.parametrize("each", VECTORS, ids=[each["name"] for each in VECTORS])
def test_the_digest_is_the_one_that_console_and_sdk_agreed_on(each):
    assert args_digest(UUID(each["escalation_id"]), each["revision"], each["steps"]) == each["args_digest"]


def test_what_is_only_shown_is_not_digested():
    shown, bare = vector("fields that are shown and not digested"), vector("one read")
    assert shown["args_digest"] == bare["args_digest"]
    absent = vector("absent depends_on and run_if are [] and null")
    assert absent["args_digest"] == bare["args_digest"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("id", "x"), ("tool", "x"), ("args", {"key": "x"}), ("depends_on", ["x"]),
        ("run_if", {"step": "x", "is": "empty"}), ("idempotency_key", "x"), ("run", False),
    ],
)  # fmt: skip
def test_everything_that_decides_what_runs_is_digested(name, value):
    each = vector("one read")
    changed = [{**each["steps"][0], name: value}]
    assert args_digest(CASE, 1, changed) != each["args_digest"]
    assert args_digest(CASE, 2, each["steps"]) != each["args_digest"]
    assert args_digest(UUID(int=1), 1, each["steps"]) != each["args_digest"]


def test_integers_that_other_languages_read_otherwise_are_refused():
    with pytest.raises(NotCanonical):
        args_digest(CASE, 1, [{**vector("one read")["steps"][0], "args": {"n": 2**53 + 1}}])


def test_derived_names_are_the_same_at_every_retry():
    assert edited_key(UUID(int=1), "s1") == edited_key(UUID(int=1), "s1")
    assert len({edited_key(UUID(int=n), step) for n in (1, 2) for step in ("s1", "s2")}) == 4
    assert decision_uuid(CASE, 1, "k") == decision_uuid(CASE, 1, "k")
    assert len({decision_uuid(CASE, revision, key) for revision in (1, 2) for key in ("k", "l")}) == 4
