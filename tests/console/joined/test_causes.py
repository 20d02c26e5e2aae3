"""The page of a cause lists the cases whose failed call is one of its calls, and no others."""

import re

import pytest
from django.utils.timezone import now

from telemetry.models import Fingerprint
from tests.escalations import made
from tests.telemetry.pages.made import HOSTILE, recent

pytestmark = pytest.mark.django_db
GONE, CLOSED = "1" * 32, "2" * 32


def failed(call_id, message, trace_id):
    failure = {"class": "hard", "code": "GONE", "message": message}
    return recent(call_id, outcome="failed", failure=failure, trace_id=trace_id)


def case_of(trace_id, tool="flight.search", **changes):
    failure = {**made.package()["failure"], "tool": tool, "class": "hard", "code": "GONE"}
    return made.opened(key=f"{trace_id}{tool}", trace_id=trace_id, failure=failure, at=now(), **changes)


def shown(client, text):
    cause = Fingerprint.objects.get(template__contains=text)
    answer = client.get(f"/causes/{cause.pk:016x}/")
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_cause_lists_the_cases_of_its_own_calls_only(report, signed_in):
    report(failed("a", "seat 12A is gone", GONE), failed("b", "order 17 was closed", CLOSED))
    case, other = case_of(GONE, title=f"Gone {HOSTILE}"), case_of(CLOSED)
    page = shown(signed_in, "is gone")
    assert f'href="/cases/{case.ref}/"' in page
    assert f'href="/cases/{other.ref}/"' not in page
    assert "1 case, 1 open" in page
    assert HOSTILE not in page


def test_a_case_of_another_tool_in_the_same_trace_is_not_of_the_cause(report, signed_in):
    report(failed("a", "seat 12A is gone", GONE))
    case_of(GONE, tool="pay.refund")
    assert "No case was opened for one of these calls." in shown(signed_in, "is gone")


def test_every_step_with_calls_leads_to_them(report, signed_in):
    report(failed("a", "seat 12A is gone", GONE), failed("b", "seat 9C is gone", GONE))
    table = shown(signed_in, "is gone").split('id="when"')[1].split("</table>")[0]
    address = re.search(r'href="(/calls/\?q=cause[^"]+until[^"]+)">2<', table)[1]
    assert signed_in.get(address.replace("&amp;", "&")).content.decode().count("data-row") == 2


def test_a_case_is_found_however_many_the_tool_has_had_since(report, signed_in, monkeypatch):
    monkeypatch.setattr("escalations.queries.of_tools.SHOWN", 2)
    monkeypatch.setattr("escalations.queries.of_tools.AT_ONCE", 2)
    traces = [f"{n + 3:032x}" for n in range(5)]
    report(*[failed(trace, "seat 12A is gone", trace) for trace in traces])
    cases = [case_of(trace) for trace in traces]
    for n in range(4):
        case_of(f"{n + 100:032x}")
    page = shown(signed_in, "is gone")
    assert "5 cases, 5 open" in page
    assert [f'href="/cases/{case.ref}/"' in page for case in cases] == [False, False, False, True, True]
