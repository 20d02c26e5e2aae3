"""Calls are stored once, corrected exactly, and every item is accounted for; counters equal a recount."""

from concurrent.futures import ThreadPoolExecutor

import orjson
import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from telemetry.domain.buckets import GRAINS, SKETCH_GRAINS
from telemetry.domain.fingerprints import Rule
from telemetry.domain.tally import ALL_AGENTS
from telemetry.models import AgentKey, Call, CallKey, Fingerprint, Ledger, Rollup, Series, Sketch, Tool
from telemetry.operations.intake import submission
from telemetry.operations.prepare import Knowledge
from telemetry.operations.store import store
from tests import factories
from tests.telemetry.calls import NOON, body, call
from tests.telemetry.counters import counters, recount

pytestmark = pytest.mark.django_db


def report(*calls, agent=1, key=1, at=NOON):
    (answer,) = store([submission(body(*calls), agent_id=agent, key_id=key, at=at, knowledge=Knowledge())])
    return answer.accepted, answer.corrected, answer.duplicate, len(answer.rejected)


def stored(call_id="c-1", agent=1):
    return Call.objects.select_related("series").get(
        pk=CallKey.objects.get(agent_id=agent, call_id=call_id).call
    )


def test_a_call_is_stored_with_its_words_and_its_details():
    assert report(call(args={"to": "LIS"}, span_id="a1")) == (1, 0, 0, 0)
    row = stored()
    assert (row.rev, row.trace_id, row.duration_us, row.attempts) == (0, call()["trace_id"], 120_500, 1)
    assert (row.series.agent_id, row.series.outcome, row.series.failure_class) == (1, "succeeded", "")
    assert orjson.loads(row.detail) == {
        "args": {"to": "LIS"},
        "outcome": "succeeded",
        "side_effect": "read",
        "span_id": "a1",
    }
    assert Tool.objects.get(pk=row.series.tool_id).name == "flight.search"


def test_the_same_call_again_is_a_duplicate_and_changes_nothing():
    report(call())
    before = counters()
    assert report(call(duration_ms=9)) == (0, 0, 1, 0)
    assert counters() == before
    assert stored().duration_us == 120_500


def test_a_higher_rev_replaces_the_row_and_the_counters_follow():
    report(call())
    hard = {"class": "hard", "code": "NOT_FOUND"}
    assert report(call(rev=2, outcome="failed", failure=hard, tool="fare.hold")) == (0, 1, 0, 0)
    row = stored()
    assert (row.rev, row.series.failure_class, row.series.code, row.series.tool.name) == (
        2,
        "hard",
        "NOT_FOUND",
        "fare.hold",
    )
    assert counters() == recount()
    assert Call.objects.count() == 1


def test_a_lower_rev_that_comes_late_is_a_duplicate():
    report(call(rev=3))
    assert report(call(rev=2)) == (0, 0, 1, 0)
    assert stored().rev == 3


def test_copies_in_one_batch_are_judged_in_their_order():
    batch = [call(rev=0), call(rev=2, duration_ms=7), call(rev=1), call(rev=2)]
    assert report(*batch) == (1, 1, 2, 0)
    assert (stored().rev, stored().duration_us) == (2, 7_000)
    assert counters() == recount()


def test_requests_that_share_a_transaction_are_answered_each_for_itself():
    one = submission(body(call("a"), call("b")), agent_id=1, key_id=1, at=NOON, knowledge=Knowledge())
    two = submission(body(call("b", rev=1), call("c")), agent_id=1, key_id=2, at=NOON, knowledge=Knowledge())
    other = submission(body(call("a")), agent_id=2, key_id=3, at=NOON, knowledge=Knowledge())
    answers = store([one, two, other])
    assert [(a.accepted, a.corrected, a.duplicate) for a in answers] == [(2, 0, 0), (1, 1, 0), (1, 0, 0)]
    assert Call.objects.count() == 4


def test_the_same_id_of_another_agent_is_another_call():
    report(call())
    assert report(call(), agent=2) == (1, 0, 0, 0)
    assert stored(agent=1).pk != stored(agent=2).pk


def test_one_call_that_is_there_among_many_new_ones_is_the_only_duplicate():
    report(call("c-7"))
    assert report(*[call(f"c-{n}") for n in range(100)]) == (99, 0, 1, 0)
    assert report(*[call(f"c-{n}", rev=n % 2) for n in range(100)]) == (0, 50, 50, 0)
    assert counters() == recount()


def test_many_calls_keep_their_ids_whatever_stands_in_them():
    odd = ["\t", "\n", "\r", "\\", "\\N", "\\.", "\\t", "'", '"', "{,}", " ", "订单", "🧭", "\u2028", "\x7f"]
    named = [f"{one}{n}{one}" for n, one in enumerate(odd * 4)]
    assert report(*[call(name, args={"path": f"C:\\new{name}"}) for name in named]) == (len(named), 0, 0, 0)
    assert set(CallKey.objects.values_list("call_id", flat=True)) == set(named)
    rows = {row.call_id: orjson.loads(row.detail)["args"]["path"] for row in Call.objects.all()}
    assert rows == {name: f"C:\\new{name}" for name in named}


@pytest.mark.django_db(transaction=True)
def test_reports_of_the_same_many_calls_at_the_same_moment_store_each_once():
    names = [f"c-{n:03}" for n in range(120)]
    told = [names, names[::-1], names[60:] + names[:60], names[:80]]

    def one(mine):
        try:
            return report(*[call(name) for name in mine])
        finally:
            connection.close()

    with ThreadPoolExecutor(len(told)) as pool:
        answers = list(pool.map(one, told))
    assert sum(accepted for accepted, *_ in answers) == len(names)
    assert [accepted + duplicate for accepted, _, duplicate, _ in answers] == [len(mine) for mine in told]
    assert Call.objects.count() == len(names)
    assert counters() == recount()


def test_an_item_that_breaks_the_contract_is_refused_and_its_neighbours_are_stored():
    answer = store(
        [
            submission(
                body(
                    call("a"),
                    {**call("b"), "surprise": 1},
                    call("c", side_effect="maybe"),
                    "nonsense",
                    call("d"),
                ),
                agent_id=1,
                key_id=1,
                at=NOON,
                knowledge=Knowledge(),
            )
        ]
    )[0]
    assert answer.accepted == 2
    assert [(r.index, r.call_id, r.code) for r in answer.rejected] == [
        (1, "b", "MALFORMED"),
        (2, "c", "MALFORMED"),
        (3, None, "MALFORMED"),
    ]
    assert answer.rejected[0].errors[0].field == "surprise"


def test_the_ledger_accounts_for_every_item():
    report(call("a"), call("b"), call("a"), call("b", rev=1), {"call_id": "x"}, key=7)
    lines = {(row.what, row.reason): row.n for row in Ledger.objects.filter(key_id=7)}
    assert lines == {
        ("received", ""): 5,
        ("stored", ""): 2,
        ("corrected", ""): 1,
        ("duplicate", ""): 1,
        ("rejected", "MALFORMED"): 1,
    }


def test_a_key_that_reported_says_when_it_was_used():
    agent = factories.agent()
    factories.agent_key(agent)
    key = AgentKey.objects.get()
    report(call(), agent=agent, key=key.pk)
    key.refresh_from_db()
    assert key.last_used_at == NOON


def test_every_grain_and_all_agents_together_are_counted():
    report(call("a"), call("b"))
    report(call("c"), agent=2)
    series = Series.objects.filter(kind="o")
    assert {row.agent_id for row in series} == {ALL_AGENTS, 1, 2}
    for grain in GRAINS:
        rows = Rollup.objects.filter(grain=grain, agent_id=ALL_AGENTS)
        assert sum(row.n for row in rows) == 3
    assert {row.grain for row in Sketch.objects.all()} == set(SKETCH_GRAINS)


def test_failures_of_one_cause_are_counted_together_and_are_found_by_it():
    hard = {"class": "hard", "code": "UNAUTHORIZED"}
    first = {**hard, "message": "token expired at 13:18:02 for acct_81Kd"}
    other = {**hard, "message": "token expired at 19:44:10 for acct_77x1"}
    report(
        call("a", outcome="failed", failure=first), call("b", outcome="failed", failure=other), call("fine")
    )
    (cause,) = Fingerprint.objects.all()
    assert (cause.code, cause.template) == ("UNAUTHORIZED", "token expired at <time> for <id>")
    assert {row.call_id for row in Call.objects.filter(fingerprint=cause.pk)} == {"a", "b"}
    assert Call.objects.get(call_id="fine").fingerprint == 0
    report(call("b", rev=1))
    assert counters() == recount()


def test_a_rule_of_a_person_names_the_cause():
    knowledge = Knowledge(rules=(Rule("token expired", "the points token"),))
    failure = {"class": "hard", "message": "token expired at 13:18:02"}
    store([submission(body(call(failure=failure)), agent_id=1, key_id=1, at=NOON, knowledge=knowledge)])
    assert Fingerprint.objects.get().template == "the points token"


revisions = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", "c"]),
        st.integers(0, 3),
        st.sampled_from(["flight.search", "pay"]),
        st.sampled_from(["succeeded", "failed", "recovered", "deferred"]),
        st.integers(0, 100_000),
        st.integers(0, 3),
    ),
    min_size=1,
    max_size=12,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(batches=st.lists(revisions, min_size=1, max_size=4))
def test_counters_equal_a_recount_whatever_revisions_come_in_whatever_order(batches):
    Call.objects.all().delete()
    for table in (CallKey, Rollup, Sketch):
        table.objects.all().delete()
    highest = {}
    for batch in batches:
        said = []
        for name, rev, tool, outcome, duration, failed in batch:
            attempt = {
                "started_at": NOON.isoformat(),
                "duration_ms": 1,
                "class": "transient",
                "code": "TIMEOUT",
            }
            attempts = [{"n": n, **attempt} for n in range(failed)]
            recovery = {"by": "retry", "latency_ms": duration} if outcome == "recovered" else None
            said.append(
                call(
                    name,
                    rev=rev,
                    tool=tool,
                    outcome=outcome,
                    duration_ms=duration,
                    attempts=attempts,
                    recovery=recovery,
                    failure={"class": "transient"} if outcome in {"failed", "recovered"} else None,
                )
            )
            highest[name] = max(highest.get(name, 0), rev)
        report(*said)
    assert counters() == recount()
    assert {row.call_id: row.rev for row in CallKey.objects.all()} == highest
