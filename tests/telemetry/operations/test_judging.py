"""Calls judged again: a person's word stands, new rules are applied, and counters equal a recount."""

import pytest
from django.core.management import call_command

from console.audit.models import AuditEntry
from console.kit.actor import SYSTEM
from telemetry.models import Call
from telemetry.operations import (
    BadLabel,
    NoSuchCall,
    judge_again,
    judging,
    relabel_call,
    set_not_found_is_empty,
)
from telemetry.operations.intake import submission
from telemetry.operations.known import what_is_known
from telemetry.operations.store import store
from telemetry.queries import call_of_agent
from telemetry.vocabulary import ClassSource, FailureClass
from tests.telemetry.calls import NOON, body, call
from tests.telemetry.counters import counters, recount

pytestmark = pytest.mark.django_db
MISSING = {
    "outcome": None,
    "tool": "order.get",
    "evidence": {"http_status": 404, "body": {"error": "no order 17"}},
}


def report(*some):
    store([submission(body(*some), agent_id=1, key_id=1, at=NOON, knowledge=what_is_known())])


def classes():
    return {row.call_id: row.series.failure_class for row in Call.objects.select_related("series")}


def test_a_persons_label_is_counted_stored_and_audited():
    report(call("a", **MISSING), call("b"))
    pk = Call.objects.get(call_id="a").pk
    relabel_call(call_id=pk, failure_class=FailureClass.INVALID_ARGS, code="WRONG_ORDER", by=SYSTEM, at=NOON)
    found = call_of_agent(agent_id=1, call_id="a")
    assert (found.row.failure_class, found.row.code) == (FailureClass.INVALID_ARGS, "WRONG_ORDER")
    assert found.failure.source is ClassSource.PERSON
    assert counters() == recount()
    assert AuditEntry.objects.filter(subject=f"call:{pk}", verb="relabelled").count() == 1


def test_what_cannot_be_labelled_is_refused():
    report(call("fine"), call("a", **MISSING))
    hard = {"failure_class": FailureClass.HARD, "by": SYSTEM, "at": NOON}
    with pytest.raises(NoSuchCall):
        relabel_call(call_id=1, code="X", **hard)
    for name, code in (("fine", "X"), ("a", "not snake"), ("a", "X" * 65)):
        with pytest.raises(BadLabel):
            relabel_call(call_id=Call.objects.get(call_id=name).pk, code=code, **hard)


def test_new_rules_are_applied_to_what_is_stored_and_the_counters_follow(monkeypatch):
    monkeypatch.setattr(judging, "CHUNK", 2)
    agents_word = {"outcome": "failed", "failure": {"class": "hard"}, "tool": "order.get"}
    report(*[call(f"c{n}", **MISSING) for n in range(5)], call("own", **agents_word), call("fine"))
    relabelled = Call.objects.get(call_id="c0").pk
    relabel_call(call_id=relabelled, failure_class=FailureClass.INTERNAL, code="", by=SYSTEM, at=NOON)
    set_not_found_is_empty(tool="order.get", value=True, by=SYSTEM, at=NOON)
    after, changed = 0, 0
    while after is not None:
        done = judge_again(after=after, at=NOON)
        after, changed = done.after, changed + done.changed
    assert changed == 4
    assert classes() == {
        "c0": "internal",
        **{f"c{n}": "empty" for n in range(1, 5)},
        "own": "hard",
        "fine": "",
    }
    assert counters() == recount()
    assert judge_again(at=NOON, tool="order.get").changed == 0


def test_the_command_says_what_it_did(capsys):
    report(call("a", **MISSING))
    set_not_found_is_empty(tool="order.get", value=True, by=SYSTEM, at=NOON)
    call_command("reclassify")
    assert "1 calls judged" in capsys.readouterr().out
    assert classes() == {"a": "empty"}
