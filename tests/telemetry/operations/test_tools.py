"""What people say about tools holds for the next calls, and is audited."""

import pytest

from console.audit.models import AuditEntry
from console.kit.actor import SYSTEM
from telemetry.models import Backfill, Call, FingerprintRule
from telemetry.operations import (
    BadRule,
    NoSuchRule,
    NoSuchTool,
    TooManyRules,
    drop_fingerprint_rule,
    set_fingerprint_rule,
    set_not_found_is_empty,
    tools,
)
from telemetry.operations.intake import submission
from telemetry.operations.known import what_is_known
from telemetry.operations.store import store
from tests.telemetry.calls import NOON, body, call

pytestmark = pytest.mark.django_db


def missing(name):
    said = call(
        name, tool="order.get", outcome=None, evidence={"http_status": 404, "body": {"error": "not found"}}
    )
    store([submission(body(said), agent_id=1, key_id=1, at=NOON, knowledge=what_is_known())])
    return Call.objects.select_related("series").get(call_id=name).series.failure_class


def test_not_found_may_be_an_empty_answer_of_a_look_up():
    missing("a")
    set_not_found_is_empty(tool="order.get", value=True, by=SYSTEM, at=NOON)
    assert missing("b") == "empty"
    set_not_found_is_empty(tool="order.get", value=False, by=SYSTEM, at=NOON)
    assert missing("c") == "hard"
    assert AuditEntry.objects.filter(subject="tool:order.get").count() == 2


def test_a_tool_that_nobody_called_is_not_there():
    with pytest.raises(NoSuchTool):
        set_not_found_is_empty(tool="x", value=True, by=SYSTEM, at=NOON)


def test_a_rule_needs_text_and_title_and_is_audited():
    for contains, title in (("", "x"), ("xy", "x"), ("xyz", " ")):
        with pytest.raises(BadRule):
            set_fingerprint_rule(contains=contains, title=title, by=SYSTEM, at=NOON)
    with pytest.raises(BadRule):
        set_fingerprint_rule(contains="xyz", title="one", code="no code", by=SYSTEM, at=NOON)
    rule = set_fingerprint_rule(contains="xyz", title="one", by=SYSTEM, at=NOON)
    assert set_fingerprint_rule(contains="xyz", title="two", by=SYSTEM, at=NOON) == rule
    drop_fingerprint_rule(rule_id=rule, by=SYSTEM, at=NOON)
    with pytest.raises(NoSuchRule):
        drop_fingerprint_rule(rule_id=rule, by=SYSTEM, at=NOON)
    assert AuditEntry.objects.filter(subject=f"fingerprint_rule:{rule}").count() == 3


def test_there_are_not_more_rules_than_every_failure_can_be_held_against(monkeypatch):
    monkeypatch.setattr(tools, "MOST_RULES", 2)
    for n in range(2):
        set_fingerprint_rule(contains=f"text {n}", title="one", by=SYSTEM, at=NOON)
    with pytest.raises(TooManyRules, match="There are 2 rules"):
        set_fingerprint_rule(contains="text 3", title="one", by=SYSTEM, at=NOON)
    assert set_fingerprint_rule(contains="text 1", title="changed", by=SYSTEM, at=NOON)
    assert FingerprintRule.objects.count() == 2


def test_every_word_starts_a_back_fill():
    missing("a")
    set_not_found_is_empty(tool="order.get", value=True, by=SYSTEM, at=NOON)
    rule = set_fingerprint_rule(contains="not found", title="gone", tool="order.get", by=SYSTEM, at=NOON)
    drop_fingerprint_rule(rule_id=rule, by=SYSTEM, at=NOON)
    assert [job.why for job in Backfill.objects.all()] == ["not found; rule: gone; without the rule: gone"]
