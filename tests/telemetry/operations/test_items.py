"""A batch is taken from parsed JSON as it is from its bytes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telemetry.contract import Call, ReportCalls
from telemetry.operations.items import read_items
from tests.telemetry.calls import NOON, body, call

WHEN = NOON.isoformat()
TRY = {"n": 1, "started_at": WHEN, "duration_ms": 3, "class": "transient", "code": "TIMEOUT"}
odd = st.sampled_from([
    None, True, 0, 1, -1, 1.0, 1.5, 2**31, 10**15, "", "1", "read", "failed", "hard", WHEN, "1764504000", 1764504000,
    "2026-11-30", [], [1], {}, {"a": None}, [TRY], [{**TRY, "n": "1"}], [{**TRY, "started_at": 5}],
    {"class": "hard", "code": "NO"}, {"class": "HARD"}, {"by": "retry", "latency_ms": 5}, {"by": 1, "latency_ms": 5},
    {"tokens": {"used": 1, "max": 2.5}}, [{"key": "a", "status": "ok"}], {"http_status": 503, "exit_code": True},
    {"exception": {"type": "E", "code": 7, "errno": "x"}}, "é\u4f60", "a" * 129,
])  # fmt: skip
names = st.sampled_from([*[field.alias or name for name, field in Call.model_fields.items()], "unheard_of"])


@given(st.dictionaries(names, odd, max_size=4))
def test_a_call_is_taken_from_parsed_json_as_from_its_bytes(changes):
    sent = body({**call("a"), **changes}, call("b"))
    assert taken(sent, parsed=True) == taken(sent, parsed=False)


@pytest.mark.parametrize("same", [b'"rev": 1, "rev": 2', b'"args": {"a": 1, "a": 2}'])
def test_of_a_name_that_comes_twice_the_last_stays(same):
    sent = json.dumps(call("a")).encode()[:-1] + b", " + same + b"}"
    ((said, raw, _),) = items(b'{"calls": [' + sent + b"]}", parsed=True).good
    assert {"rev": said.rev, "args": said.args} == {"rev": raw.get("rev", 0), "args": raw.get("args")}


def taken(sent, *, parsed):
    found = items(sent, parsed=parsed)
    return [(said, said.model_fields_set, raw, flags) for said, raw, flags in found.good], found.rejected


def items(sent, *, parsed):
    return read_items(
        sent, batch=ReportCalls, item=Call, name="calls", id_name="call_id", most=10, parsed=parsed
    )
