"""What real instrumentation exports, as it was recorded, becomes the calls that each recording names.

`tests/real` plays the same scenes against the frameworks themselves and compares with the same calls.
"""

import json
from datetime import timedelta
from itertools import permutations
from pathlib import Path

import orjson
import pytest

from telemetry.models import Call, SpanContext
from telemetry.operations.prepare import Knowledge
from telemetry.operations.receiving import receive
from telemetry.operations.recount import recount
from telemetry.operations.traces import export
from tests import factories
from tests.factories import NOON
from tests.telemetry.heard import heard
from tests.telemetry.spans import as_protobuf, exported, span, tool

pytestmark = pytest.mark.django_db(transaction=True)
FOLDER = Path(__file__).parents[1] / "domain" / "otlp" / "recorded"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))
JSON, PROTOBUF = "application/json", "application/x-protobuf"


def recording(name):
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


@pytest.fixture
def take(transactional_db):
    """Receive an export as its agent sends it."""
    agent_id = factories.agent("booker-service")

    def received(*exports, media=JSON):
        """Read all of these, then store one after the other: so exports cross."""
        known = Knowledge()
        bodies = [orjson.dumps(one) if media == JSON else as_protobuf(one) for one in exports]
        read = [
            export(one, media=media, agent_id=agent_id, key_id=1, at=NOON, knowledge=known) for one in bodies
        ]
        for said in read:
            if said.submissions:
                receive(said.submissions, knowledge=known)
        return read[-1]

    return received


def spans_of(exported):
    return [
        (group, scoped, one)
        for group in exported["resourceSpans"]
        for scoped in group["scopeSpans"]
        for one in scoped["spans"]
    ]


def one_span(group, scoped, one):
    return {"resourceSpans": [{**group, "scopeSpans": [{**scoped, "spans": [one]}]}]}


def everything(kept):
    return [call for trace in kept["traces"] for call in heard(trace)]


@pytest.mark.parametrize("media", [JSON, PROTOBUF])
@pytest.mark.parametrize("name", NAMES)
def test_a_recording_becomes_the_calls_it_names(take, name, media):
    kept = recording(name)
    said = take(kept["export"], media=media)
    assert (said.rejected, said.message) == (0, "")
    assert everything(kept) == kept["calls"]


@pytest.mark.parametrize("name", NAMES)
def test_sent_twice_it_is_stored_once(take, name):
    kept = recording(name)
    take(kept["export"])
    stored = Call.objects.count()
    take(kept["export"])
    assert Call.objects.count() == stored
    assert everything(kept) == kept["calls"]


def test_one_span_to_a_request_ancestors_that_come_last_still_name_agent_and_conversation(take):
    kept = recording("openai_agents")
    for parts in spans_of(kept["export"]):
        take(one_span(*parts))
    assert [(one["agent"], one["session"]) for one in everything(kept)] == [("booker", "trip-77")] * 5


@pytest.mark.parametrize("backwards", [False, True])
def test_transport_is_merged_and_its_failure_kept_whichever_process_exports_first(take, backwards):
    kept = recording("mcp")
    spans = spans_of(kept["export"])
    for parts in reversed(spans) if backwards else spans:
        take(one_span(*parts))
    told = [(one["tool"], one["outcome"], one.get("class")) for one in everything(kept)]
    assert told == [(one["tool"], one["outcome"], one.get("class")) for one in kept["calls"]]


SPOKEN = {"mcp__method__name": "tools/call", "gen_ai__tool__name": "pay"}


def message(number, parent, **how):
    return exported(span(number, name="tools/call pay", parent=parent, **SPOKEN, **how))


def told():
    """What is stored, without what was taken back."""
    rows = Call.objects.exclude(series__outcome="skipped")
    return [
        (call_id.rpartition(":")[2].lstrip("0"), outcome)
        for call_id, outcome in rows.values_list("call_id", "series__outcome")
    ]


@pytest.mark.parametrize("order", list(permutations(range(3))))
@pytest.mark.parametrize("error", [None, "down"])
@pytest.mark.parametrize("together", [(1, 1, 1), (3,), (1, 2), (2, 1)])
def test_a_call_and_its_messages_are_one_call_in_whatever_order_and_also_where_exports_cross(
    take, order, error, together
):
    spans = [exported(tool(1, tool="pay")), message(2, parent=1), message(3, parent=2, error=error)]
    exports = [spans[place] for place in order]
    start = 0
    for some in together:
        take(*exports[start : start + some])
        start += some
    wanted = [("1", "failed" if error else "succeeded")]
    assert told() == wanted
    for one in exports:
        take(one)
    assert told() == wanted
    take(exported(tool(1, tool="pay", seconds=5)))
    assert told() == wanted
    assert Call.objects.get(call_id__endswith=":" + f"{1:016x}").duration_us == 5_000_000
    assert recount(since=NOON - timedelta(days=1)).differences == ()


@pytest.mark.parametrize("order", list(permutations(range(3))))
@pytest.mark.parametrize("second", [None, "down again"])
@pytest.mark.parametrize("together", [True, False])
def test_a_call_whose_message_got_through_at_the_second_try_worked(take, order, second, together):
    spans = [
        tool(1, tool="pay"),
        *(
            span(n, name="tools/call pay", parent=1, error=error, **SPOKEN)
            for n, error in ((2, "down"), (3, second))
        ),
    ]
    if together:
        take(exported(*[spans[place] for place in order]))
    else:
        for place in order:
            take(exported(spans[place]))
    assert told() == [("1", "failed" if second else "succeeded")]
    assert recount(since=NOON - timedelta(days=1)).differences == ()


def test_many_spans_that_come_again_say_what_they_say_last(take):
    def said(session):
        spans = [tool(n + 1, gen_ai__conversation__id=f"{session}\\\t{n}") for n in range(60)]
        return exported(
            *spans, tool(99, gen_ai__conversation__id="only once") if session == "b" else tool(98)
        )

    take(said("a"), media=PROTOBUF)
    assert SpanContext.objects.count() == 61
    take(said("b"), media=PROTOBUF)
    kept = dict(SpanContext.objects.values_list("span_id", "session_id"))
    assert kept == {
        **{f"{n + 1:016x}": f"b\\\t{n}" for n in range(60)}, f"{98:016x}": "", f"{99:016x}": "only once",
    }  # fmt: skip
