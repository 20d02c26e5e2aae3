"""After a person's word stored failures are judged again, piece by piece, and the counters equal a recount."""

from datetime import timedelta

import pytest
from django.db import connection, transaction

from console.kit.actor import SYSTEM
from telemetry.models import Backfill, Call, Fingerprint
from telemetry.operations import (
    backfill,
    backfill_one_chunk,
    drop_fingerprint_rule,
    relabel_call,
    set_fingerprint_rule,
)
from telemetry.operations.backfill import start_backfill
from telemetry.operations.intake import submission
from telemetry.operations.known import what_is_known
from telemetry.operations.store import store
from telemetry.vocabulary import FailureClass
from tests.escalations.racing import race
from tests.telemetry.calls import NOON, body, call
from tests.telemetry.counters import counters, recount

pytestmark = pytest.mark.django_db
LATER = NOON + timedelta(seconds=10)


def failed(name, message, of="hard", **changes):
    failure = {"class": of, "code": "X", "message": message}
    return call(name, outcome="failed", failure=failure, **changes)


def report(*some, agent=1):
    store([submission(body(*some), agent_id=agent, key_id=1, at=NOON, knowledge=what_is_known())])


def words():
    titles = dict(Fingerprint.objects.values_list("pk", "template"))
    rows = Call.objects.select_related("series")
    return {row.call_id: (row.series.failure_class, titles.get(row.fingerprint, "")) for row in rows}


def finish():
    pieces = 0
    while backfill_one_chunk(at=LATER):
        pieces += 1
    return pieces


@pytest.fixture
def reported(db):
    report(
        failed("a", "token of ana expired"),
        failed("b", "token of 17 expired"),
        failed("c", "no seat left"),
        failed("d", "token of ana expired", tool="pay"),
        failed("e", "timed out", of="transient"),
        call("fine"),
    )
    report(failed("f", "token of ben expired"), agent=2)


def test_causes_are_merged_by_a_rule_and_parted_again_without_it(reported):
    before = words()
    rule = set_fingerprint_rule(
        contains="token of", title="the token", tool="flight.search", by=SYSTEM, at=NOON
    )
    finish()
    merged = dict.fromkeys("abf", ("hard", "the token"))
    assert words() == {**before, **merged}
    assert counters() == recount()
    drop_fingerprint_rule(rule_id=rule, by=SYSTEM, at=NOON)
    finish()
    assert words() == before
    assert counters() == recount()


def test_a_rule_may_say_what_class_its_failures_are_whatever_the_agent_said(reported):
    told = {"failure_class": FailureClass.TRANSIENT, "code": "TOKEN"}
    set_fingerprint_rule(contains="token of", title="the token", by=SYSTEM, at=NOON, **told)
    finish()
    assert {name for name, (of, _) in words().items() if of == "transient"} == {"a", "b", "d", "e", "f"}
    assert counters() == recount()
    report(failed("g", "token of cleo expired"))
    assert words()["g"] == ("transient", "the token")


def test_a_label_of_a_person_stands_while_its_cause_follows(reported):
    pk = Call.objects.get(call_id="a").pk
    relabel_call(call_id=pk, failure_class=FailureClass.INTERNAL, code="OURS", by=SYSTEM, at=NOON)
    told = {"failure_class": FailureClass.TRANSIENT, "code": "TOKEN"}
    set_fingerprint_rule(contains="token of", title="the token", by=SYSTEM, at=NOON, **told)
    finish()
    assert words()["a"] == ("internal", "the token")
    assert counters() == recount()


def test_a_back_fill_goes_piece_by_piece_and_says_how_far_it_is(reported, monkeypatch):
    monkeypatch.setattr(backfill, "CHUNK", 2)
    set_fingerprint_rule(contains="token of", title="the token", by=SYSTEM, at=NOON)
    assert backfill_one_chunk(at=NOON) is False
    assert finish() > 2
    job = Backfill.objects.get()
    assert (job.seen, job.changed, job.done_at) == (6, 4, LATER)
    assert {name for name, (_, title) in words().items() if title == "the token"} == {"a", "b", "d", "f"}


def between(monkeypatch, meanwhile):
    """Let something happen once, after a piece was judged and before it is written."""
    judge, left = backfill.judge, [meanwhile]

    def judged(ids):
        result = judge(ids)
        while left:
            left.pop()()
        return result

    monkeypatch.setattr(backfill, "judge", judged)


def test_what_is_corrected_while_a_piece_is_judged_is_judged_by_what_it_says_now(reported, monkeypatch):
    told = {"failure_class": FailureClass.TRANSIENT, "code": "TOKEN"}
    set_fingerprint_rule(contains="token of", title="the token", by=SYSTEM, at=NOON, **told)
    mended = failed("a", "no seat left", rev=1)
    between(monkeypatch, lambda: report(mended, call("b", rev=1)))
    finish()
    assert words()["a"] == ("hard", "no seat left")
    assert words()["b"] == ("", "")
    assert words()["f"] == ("transient", "the token")
    assert counters() == recount()


def test_what_a_person_relabels_while_a_piece_is_judged_keeps_their_word(reported, monkeypatch):
    told = {"failure_class": FailureClass.TRANSIENT, "code": "TOKEN"}
    set_fingerprint_rule(contains="token of", title="the token", by=SYSTEM, at=NOON, **told)
    pk = Call.objects.get(call_id="a").pk
    theirs = {"failure_class": FailureClass.INTERNAL, "code": "OURS", "by": SYSTEM, "at": NOON}
    between(monkeypatch, lambda: relabel_call(call_id=pk, **theirs))
    finish()
    assert words()["a"] == ("internal", "the token")
    assert counters() == recount()


def test_a_word_that_joins_while_the_first_piece_is_judged_is_not_passed_over(reported, monkeypatch):
    set_fingerprint_rule(contains="token of", title="the token", by=SYSTEM, at=NOON)
    further = {"contains": "no seat", "title": "full", "by": SYSTEM, "at": NOON + timedelta(seconds=1)}
    between(monkeypatch, lambda: set_fingerprint_rule(**further))
    finish()
    assert words()["a"][1] == "the token"
    assert words()["c"][1] == "full"
    assert counters() == recount()


def test_of_two_that_do_the_same_piece_one_writes_it(reported, monkeypatch):
    set_fingerprint_rule(contains="token of", title="the token", by=SYSTEM, at=NOON)
    between(monkeypatch, lambda: backfill_one_chunk(at=LATER))
    finish()
    job = Backfill.objects.get()
    assert (job.seen, job.changed) == (6, 4)
    assert counters() == recount()


def reading_on(work):
    """On SQLite tests share one database in memory, whose readers are refused while a writer writes; files are not so."""

    def run():
        if connection.vendor == "sqlite":
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA read_uncommitted = 1")
        work()

    return run


@pytest.mark.django_db(transaction=True)
def test_an_operator_the_agent_and_a_back_fill_at_once_leave_the_counters_exact():
    report(*(failed(f"c{n}", "token of ana expired") for n in range(20)))
    ids = dict(Call.objects.values_list("call_id", "pk"))

    def relabels():
        for n in range(20):
            told = {"failure_class": FailureClass.INTERNAL, "code": "OURS"}
            relabel_call(call_id=ids[f"c{n}"], by=SYSTEM, at=NOON, **told)

    def corrects():
        for rev in range(1, 11):
            report(*(failed(f"c{n}", "no seat left", of="transient", rev=rev) for n in range(0, 20, 2)))

    def fills():
        if (
            connection.vendor == "sqlite"
        ):  # tests share one database in memory, whose readers wait for no writer
            connection.cursor().execute("PRAGMA read_uncommitted = 1")
        for n in range(5):
            set_fingerprint_rule(contains="token of", title=f"the token {n}", by=SYSTEM, at=NOON)
            finish()

    race(*map(reading_on, (relabels, corrects, fills)))
    finish()
    assert counters() == recount()
    assert {words()[f"c{n}"][0] for n in range(1, 20, 2)} == {"internal"}


def test_words_that_come_before_a_back_fill_begins_share_it(reported):
    with transaction.atomic():
        first = start_backfill(tool="pay", why="one", by=SYSTEM, at=NOON)
        same = start_backfill(tool="pay", why="two", by=SYSTEM, at=NOON + timedelta(seconds=1))
        other = start_backfill(tool="", why="three", by=SYSTEM, at=NOON)
    assert first == same != other
    assert Backfill.objects.get(pk=first).due_at == NOON + timedelta(seconds=9)
    while backfill_one_chunk(at=LATER):
        pass
    with transaction.atomic():
        assert start_backfill(tool="pay", why="four", by=SYSTEM, at=LATER) not in {first, other}
