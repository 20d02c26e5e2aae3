"""Searches: any terms narrow, pages follow on, and what no index holds is looked for in stretches that say so."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from telemetry.domain.search import read
from telemetry.models import Call
from telemetry.operations.intake import submission
from telemetry.operations.prepare import Knowledge
from telemetry.operations.store import store
from telemetry.queries import every, search
from telemetry.queries.searches import STRETCH
from tests import factories
from tests.telemetry.calls import NOON, body
from tests.telemetry.calls import call as said

pytestmark = pytest.mark.django_db
HARD = {"class": "hard", "code": "NOT_FOUND", "message": 'no such "flight"'}


def report(*some, agent, at=NOON):
    store([submission(body(*some), agent_id=agent, key_id=1, at=at, knowledge=Knowledge())])


def asked(text):
    reading = read(text, at=NOON + timedelta(minutes=1))
    assert reading.mistakes == ()
    return reading.asked


def ids(text, **more):
    return [row.call_id for row in search(asked(text), **more).rows]


@pytest.fixture
def fleet(db):
    booker, desk = factories.agent("trip-booker"), factories.agent("group-desk")
    report(
        said("a", duration_ms=10),
        said("b", outcome="failed", failure=HARD, duration_ms=900, trace_id="f" * 32),
        said(
            "c", outcome="recovered", failure={"class": "transient"}, recovery={"by": "rule", "latency_ms": 5}
        ),
        said("d", tool="pay.card"),
        said("e", tool="pay*", outcome="failed", failure={"class": "hard", "code": "DECLINED"}),
        agent=booker,
    )
    report(said("f", args={"城市": "上海 ' % _"}), agent=desk)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "fedcba"),
        ("tool:pay*", "ed"),
        ('tool:"pay*"', "e"),
        ("tool:*.search -class:*", "fa"),
        ("tool:flight.search,pay.card", "fdcba"),
        ("-tool:pay*", "fcba"),
        ("tool:p*r*d", "d"),
        ("tool:p_y*", ""),
        ("tool:%", ""),
        ("tool:*%*", ""),
        ("tool:*!*", ""),
        ("tool:" + "*" * 200 + "x", ""),
        ("tool:" + "*" * 200 + ".card", "d"),
        ("-code:N*T*F*D", "fedca"),
        ("tool:nothing", ""),
        ("class:hard,transient", "ecb"),
        ("class:hard code:D*", "e"),
        ("class:*", "ecb"),
        ("-class:hard", "fdca"),
        ("outcome:failed", "eb"),
        ("recovered:*", "c"),
        ("-recovered:rule", "fedba"),
        ("agent:group*", "f"),
        ("-agent:group-desk tool:pay*", "ed"),
        ("agent:nobody", ""),
        ("ms:>500", "b"),
        ("ms:..", None),
        ("ms:0..20 tool:flight.search", "a"),
        ("-ms:>500 class:hard", "e"),
        ("attempts:>1", ""),
        ("trace:" + "f" * 32, "b"),
        ("-trace:" + "f" * 32 + " class:hard", "e"),
        ("call:a,f", "fa"),
        ("cause:nonsense", ""),
        ('"no such \\"flight\\""', "b"),
        ('"NO SUCH" tool:flight*', "b"),
        ("上海", "f"),
        ('"%"', "f"),
        ("-flight tool:pay.card", "d"),
        ("since:1h", "fedcba"),
        ("until:1h", ""),
        ("since:9998-01-01", ""),
        ("since:0001-01-02 until:9998-01-01 tool:pay*", "ed"),
    ],
)
def test_any_terms_narrow(fleet, text, expected):
    if expected is None:
        assert read(text, at=NOON).mistakes
    else:
        assert "".join(ids(text)) == expected


def test_what_needed_a_person_was_handed_over_or_put_right_by_one(db):
    desk = factories.agent("group-desk")
    healed = {"failure": {"class": "hard"}, "outcome": "recovered"}
    report(
        said("a", outcome="escalated", failure={"class": "hard"}),
        said("b", recovery={"by": "human", "latency_ms": 5}, **healed),
        said("c", recovery={"by": "model", "latency_ms": 5}, **healed),
        said("d"),
        agent=desk,
    )
    assert ids("person:needed") == ["b", "a"]
    assert ids("-person:needed") == ["d", "c"]


def test_the_calls_of_one_cause_are_found_whatever_else_is_asked(fleet):
    cause = f"{Call.objects.get(call_id='b').fingerprint:016x}"
    assert ids(f"cause:{cause}") == ["b"]
    assert ids(f"cause:{cause} tool:flight* ms:>1") == ["b"]
    assert ids(f"cause:{cause} tool:pay*") == []


@pytest.mark.parametrize("text", ["", "tool:flight*", "ms:<500", "flight tool:*"])
def test_pages_follow_on(text, db):
    booker = factories.agent("trip-booker")
    report(*[said(f"c{n:02}") for n in range(25)], agent=booker)
    shown, after = [], None
    while True:
        page = search(asked(text), after=after, limit=10)
        shown += [row.call_id for row in page.rows]
        after = page.after
        if after is None:
            break
    assert shown == [f"c{n:02}" for n in reversed(range(25))]


def test_what_no_index_holds_is_looked_for_in_stretches(fleet, monkeypatch):
    monkeypatch.setattr("telemetry.queries.searches.STRETCH", 2)
    page = search(asked("ms:<20"))
    assert (page.rows, page.looked_back_to is not None) == ((), True)
    seen = [page]
    while seen[-1].after:
        seen.append(search(asked("ms:<20"), after=seen[-1].after))
    assert [row.call_id for page in seen for row in page.rows] == ["a"]
    assert seen[-1].looked_back_to is None
    assert STRETCH > 1_000


def test_a_search_costs_the_same_for_one_row_and_for_many(db):
    booker = factories.agent("trip-booker")

    def statements():
        with CaptureQueriesContext(
            connection,
        ) as done:
            ids("tool:flight* agent:trip* class:hard ms:>1 flight")
        return len(done)

    report(said("a", outcome="failed", failure=HARD), agent=booker)
    one = statements()
    report(*[said(f"b{n}", outcome="failed", failure=HARD) for n in range(20)], agent=booker)
    assert statements() == one <= 6


def test_the_export_gives_every_call_in_full(fleet, monkeypatch):
    monkeypatch.setattr("telemetry.queries.export.CHUNK", 2)
    lines = list(every(asked("tool:flight*")))
    assert [line["call_id"] for line in lines] == ["f", "c", "b", "a"]
    assert lines[0]["args"] == {"城市": "上海 ' % _"}
    assert (lines[2]["class"], lines[2]["code"], lines[2]["agent"]) == ("hard", "NOT_FOUND", "trip-booker")
    assert lines[2]["failure"]["message"] == 'no such "flight"'
