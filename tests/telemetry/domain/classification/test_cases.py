"""The labelled cases: our own must all be right; the shared corpus, where it is there, in at least 98 of 100."""

import json
import os
from functools import cache
from pathlib import Path

import pytest

from telemetry.domain.classification import VERSION, classify_case

HERE = Path(__file__).parent
ROOT = HERE.parents[3]
CORPUS = Path(os.environ.get("SWITCHBOARD_CORPUS", ROOT.parent / "shared" / "corpus" / "failures-open.jsonl"))
EVIDENCE = ("id", "tool", "side_effect", "idempotent", "request", "outcome")
FILES = sorted((HERE / "cases").glob("*.jsonl"))


@cache
def judged(path):
    """Every case of a file with its answer, which is asked for once."""
    cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [(case, classify_case({name: case.get(name) for name in EVIDENCE})) for case in cases]


def accepted(case, name):
    expected = case["expected"]
    return [expected[name], *expected.get(f"{name}_accept", [])]


def wrong(path, name):
    return [
        (case["id"], found[name])
        for case, found in judged(path)
        if case["expected"].get(name) is not None and found[name] not in accepted(case, name)
    ]


def wrong_classes(path):
    return [
        (case["id"], found["class"], found["rule"])
        for case, found in judged(path)
        if found["class"] != case["expected"]["class"].lower()
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_case_of_our_own_has_its_class(path):
    assert wrong_classes(path) == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_case_of_our_own_has_its_code_and_may_be_retried_as_labelled(path):
    assert wrong(path, "retryable") == []
    assert wrong(path, "code") == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_case_of_our_own_waits_as_long_as_the_system_asks(path):
    waiting = [both for both in judged(path) if both[0]["expected"].get("retry_after_s") is not None]
    assert [
        case["id"]
        for case, found in waiting
        if found["retry_after_s"] != pytest.approx(case["expected"]["retry_after_s"], abs=0.51)
    ] == []


def test_our_own_cases_are_many_and_of_many_systems():
    own = [case for path in FILES for case, _ in judged(path)]
    assert len(own) > 1_800
    assert len({case["id"].rsplit("-", 1)[0] for case in own}) > 600


@pytest.mark.skipif(not CORPUS.exists(), reason="the shared corpus is not beside this repository")
def test_the_shared_corpus_is_right_in_at_least_98_of_100():
    assert len(wrong_classes(CORPUS)) <= len(judged(CORPUS)) * 0.02


def test_an_answer_has_every_key_and_names_its_rule():
    found = classify_case(
        {"id": "x", "tool": "search", "outcome": {"http_status": 429, "headers": {"Retry-After": "7"}}}
    )
    assert found == {
        "id": "x",
        "class": "transient",
        "code": "RATE_LIMITED",
        "retryable": "yes",
        "retry_after_s": 7,
        "field": None,
        "constraint": None,
        "received": None,
        "rule": "http/429",
    }
    assert VERSION


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        ({"side_effect": "write"}, "unknown_outcome"),
        ({"side_effect": True, "idempotent": False}, "unknown_outcome"),
        ({"side_effect": "idempotent_write"}, "transient"),
        ({"side_effect": True, "idempotent": True}, "transient"),
        ({"side_effect": "read"}, "transient"),
        ({}, "transient"),
    ],
)
def test_what_a_call_does_is_two_flags_or_the_word_of_reports(told, verdict):
    assert classify_case({"tool": "pay", "outcome": {"http_status": 504}, **told})["class"] == verdict
