import json
from datetime import UTC, datetime, timedelta

import pytest

from escalations.models import Case, Decision
from tests.escalations import made
from tests.escalations.doors import CASES, agent_door, door_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent():
    return agent_door("trip-booker")


@pytest.fixture
def other():
    return agent_door("group-desk")


def test_a_case_is_made_once_however_often_it_is_sent(agent):
    first, again = (agent.post(CASES, made.package()) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json()["id"] == again.json()["id"]
    assert first.json()["ref"].startswith("C-")
    conflict = agent.post(CASES, made.package(title="Something else"))
    assert (conflict.status_code, conflict.json()["code"]) == (409, "IDEMPOTENCY_CONFLICT")
    assert Case.objects.count() == 1


def test_a_repeated_request_may_compute_its_deadline_again(agent):
    soon, sooner = (datetime.now(UTC) + timedelta(hours=hours) for hours in (2, 1))
    first = agent.post(CASES, made.package(expires_at=soon.isoformat()))
    again = agent.post(CASES, made.package(expires_at=sooner.isoformat()))
    assert (again.status_code, again.json()["expires_at"]) == (200, first.json()["expires_at"])


def test_two_agents_may_use_the_same_key(agent, other):
    assert agent.post(CASES, made.package()).status_code == 201
    assert other.post(CASES, made.package()).status_code == 201


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"colour": "red"}, "colour", "EXTRA_FORBIDDEN"),
        ({"trigger": "mood"}, "trigger", "ENUM"),
        ({"title": ""}, "title", "STRING_TOO_SHORT"),
        ({"expires_at": "2026-11-30 12:00"}, "expires_at", "TIMEZONE_AWARE"),
        ({"attempt": "1"}, "attempt", "INT_TYPE"),
        ({"expires_at": "9999-12-31T23:59:59Z"}, "expires_at", "VALUE_ERROR"),
        ({"expires_at": "2001-01-01T00:00:00Z"}, "expires_at", "BAD_DEADLINE"),
        ({"proposals": [made.keep_seat(), made.keep_seat()]}, "proposals", "DUPLICATE"),
        ({"proposals": [], "allowed": ["approve"]}, "allowed", "NOTHING_TO_DECIDE"),
        ({"on_timeout": {"action": "approve", "proposal_id": "A"}}, "on_timeout.action", "DEFAULT_WOULD_WRITE"),
        ({"on_timeout": {"action": "approve", "proposal_id": "Z"}}, "on_timeout.proposal_id", "NO_SUCH_PROPOSAL"),
        ({"question": {"response_schema": {"type": "mood"}}}, "question.response_schema", "BAD_SCHEMA"),
        ({"question": {"response_schema": {"$ref": "http://127.0.0.1:9/x"}}}, "question.response_schema", "BAD_SCHEMA"),
    ],
)  # fmt: skip
def test_every_fault_of_a_package_is_named(agent, change, field, code):
    answer = agent.post(CASES, made.package(**change))
    assert answer.status_code == 422
    assert (field, code) in [(error["field"], error["code"]) for error in answer.json()["errors"]]
    assert Case.objects.count() == 0


def plan_with(**step):
    return [{"id": "A", "kind": "retry", "title": "t", "steps": [made.step("s1", "t", **step)]}]


@pytest.mark.parametrize(
    ("step", "field", "code"),
    [
        ({"args": {"n": 2**53 + 1}}, "proposals.0.steps.0.args", "NOT_CARRIED"),
        ({"args": {"n": 1e300}}, "proposals.0.steps.0.args", "NOT_CARRIED"),
        ({"args": {"n": "a\x00b"}}, "proposals.0.steps.0.args", "NOT_CARRIED"),
        ({"depends_on": ["s9"]}, "proposals.0.steps.0.depends_on", "NO_SUCH_STEP"),
        ({"depends_on": ["s1"]}, "proposals.0.steps.0.depends_on", "CYCLE"),
        ({"args_schema": {"type": 7}}, "proposals.0.steps.0.args_schema", "BAD_SCHEMA"),
    ],
)
def test_a_step_that_could_not_be_approved_as_it_stands_is_refused_at_the_door(agent, step, field, code):
    answer = agent.post(CASES, made.package(proposals=plan_with(**step)))
    assert answer.status_code == 422
    assert (field, code) in [(error["field"], error["code"]) for error in answer.json()["errors"]]


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"{", b"\xff\xfe", b'{"key": "\\ud800"}', b"[" * 100_000, b"NaN", b'"x"', b"null"],
    ids=["empty", "list", "cut off", "no utf-8", "surrogate", "deep", "NaN", "text", "null"],
)
def test_hostile_bytes_are_refused_and_never_a_500(agent, body):
    assert agent.raw(CASES, body).status_code == 422


def test_hostile_text_is_kept_and_neutralised(agent):
    hostile = made.package(
        title="<script>alert(1)</script>\x00",
        context={"deep": json.loads("[" * 60 + "]" * 60), "n": 10**400, "k\x00": "v" * 50_000},
    )
    assert agent.post(CASES, hostile).status_code == 201
    row = Case.objects.get()
    assert "\x00" not in row.title
    flags = set(row.revisions.get().flags)
    assert {"nul", "too_deep", "big_integer", "truncated"} <= flags


def test_a_schema_with_bounds_beyond_doubles_is_taken(agent):
    schema = {"type": "object", "properties": {"n": {"type": "integer", "maximum": 2**63 - 1}}}
    assert agent.post(CASES, made.package(proposals=plan_with(args_schema=schema))).status_code == 201


def test_a_body_that_is_too_long_is_refused(agent, settings):
    settings.MAX_BODY_BYTES = 1000
    assert agent.post(CASES, made.package()).status_code == 413


def test_an_agent_sees_only_its_own_cases_on_every_route(agent, other):
    case = agent.post(CASES, made.package()).json()
    decided = made.decided(case["id"])
    ack = {"decision_id": str(decided.decision_id), "args_digest": decided.args_digest}
    outcome = {**ack, "report_id": "r", "status": "executed"}
    revised = {name: value for name, value in made.package().items() if name != "key"} | {"base_revision": 1}
    asked = [
        other.get(f"{CASES}/{case['id']}"),
        other.put(f"{CASES}/{case['id']}", revised),
        other.post(f"{CASES}/{case['id']}/cancel", {}),
        other.get(f"{CASES}/{case['id']}/decision"),
        other.post(f"{CASES}/{case['id']}/ack", ack),
        other.post(f"{CASES}/{case['id']}/outcome", outcome),
    ]
    assert {answer.status_code for answer in asked} == {404}
    assert {answer.json()["code"] for answer in asked} == {"NO_SUCH_CASE"}
    assert other.get(CASES).json()["escalations"] == []
    assert [each["id"] for each in agent.get(CASES).json()["escalations"]] == [case["id"]]


def test_the_case_of_a_key_is_found_again(agent):
    agent.post(CASES, made.package(key="a"))
    second = agent.post(CASES, made.package(key="b")).json()
    assert [each["id"] for each in agent.get(f"{CASES}?key=b").json()["escalations"]] == [second["id"]]


def test_the_list_pages_by_key(agent):
    for n in range(3):
        agent.post(CASES, made.package(key=f"k{n}", title=f"no {n}"))
    first = agent.get(f"{CASES}?limit=2").json()
    second = agent.get(f"{CASES}?limit=2&after={first['after']}").json()
    assert [each["title"] for each in first["escalations"]] == ["no 2", "no 1"]
    assert [each["title"] for each in second["escalations"]] == ["no 0"]
    assert second["after"] is None


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=x",
        "limit=201",
        f"limit=000000050{'9' * 30}",
        "view=all",
        "after=zzz",
        "after=%00",
        "tool=x",
    ],
)
def test_a_query_that_cannot_be_read_is_refused(agent, query):
    assert agent.get(f"{CASES}?{query}").status_code == 422


def test_a_decision_is_read_without_waiting(agent):
    case = agent.post(CASES, made.package()).json()
    assert agent.get(f"{CASES}/{case['id']}/decision").status_code == 204
    decided = made.decided(case["id"])
    answer = agent.get(f"{CASES}/{case['id']}/decision")
    assert answer.status_code == 200
    assert answer.json()["args_digest"] == decided.args_digest
    assert "answer" not in answer.json()
    assert Decision.objects.get().delivered_at is None  # a poll alone does not say that it arrived


def test_a_decision_in_its_undo_window_is_not_there_yet(agent, settings):
    settings.UNDO_WINDOW_S = 10_000_000_000 // 100
    case = agent.post(CASES, made.package()).json()
    decided = door_of("ana", "operator").post(f"{CASES}/{case['id']}/decision", made.word())
    assert decided.status_code == 201
    assert agent.get(f"{CASES}/{case['id']}/decision").status_code == 204
    assert agent.get(f"{CASES}/{case['id']}").json()["current_decision"] is None


def test_the_whole_way_from_hand_over_to_outcome(agent):
    case = agent.post(CASES, made.package()).json()
    decided = door_of("ana", "operator").post(f"{CASES}/{case['id']}/decision", made.word()).json()
    said = {"decision_id": decided["decision_id"], "args_digest": decided["args_digest"]}

    acknowledged = agent.post(f"{CASES}/{case['id']}/ack", {**said, "fence": 3})
    assert acknowledged.status_code == 200
    assert acknowledged.json()["fence"] == 3
    stale = agent.post(f"{CASES}/{case['id']}/ack", {**said, "fence": 2})
    assert (stale.status_code, stale.json()["code"]) == (409, "STALE_FENCE")
    wrong = agent.post(f"{CASES}/{case['id']}/ack", {**said, "args_digest": "0" * 64})
    assert (wrong.status_code, wrong.json()["code"]) == (409, "DIGEST_MISMATCH")

    outcome = {**said, "report_id": "r1", "status": "executed", "steps": [{"id": "s1", "status": "empty"}]}
    answers = [agent.post(f"{CASES}/{case['id']}/outcome", outcome) for _ in range(2)]
    assert [answer.json()["duplicate"] for answer in answers] == [False, True]
    assert agent.get(f"{CASES}/{case['id']}").json()["execution"] == "executed"


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400"])
@pytest.mark.parametrize("place", ["args", "args_schema", "result", "received", "context", "answer_schema"])
def test_a_number_that_is_no_json_is_taken_or_refused_wherever_it_stands(agent, place, number):
    said = made.package(question={"response_schema": {"enum": ["@" if place == "answer_schema" else 1]}})
    step = said["proposals"][0]["steps"][0]
    step["args"] = {"n": "@"} if place == "args" else {}
    step["args_schema"] = {"properties": {"n": {"enum": ["@"]}}} if place == "args_schema" else None
    said["steps"][0]["result"] = "@" if place == "result" else None
    said["failure"]["received"] = "@" if place == "received" else None
    said["context"] = {"n": "@"} if place == "context" else {}
    answer = agent.raw(CASES, json.dumps(said).replace('"@"', number))
    assert answer.status_code in {201, 422}
    assert "code" in answer.json() or answer.json()["ref"]


def test_a_request_of_another_family_is_handed_over_and_answered_in_kind(agent):
    request = {
        "action_request": {"action": "book", "args": {"to": "NRT"}},
        "config": {"allow_accept": True},
        "description": "Book it",
    }
    asked = agent.post(f"{CASES}/kinds/interrupt", {"key": "k", "trace_id": "t", "request": request})
    assert asked.status_code == 201
    case = asked.json()["id"]
    assert agent.get(f"{CASES}/{case}/answer").status_code == 204
    made.decided(case, proposal_id=None)
    answer = agent.get(f"{CASES}/{case}/answer").json()
    assert (answer["kind"], answer["answer"]) == ("interrupt", [{"type": "accept", "args": None}])
    unknown = agent.post(f"{CASES}/kinds/pigeon", {"key": "k", "trace_id": "t", "request": {}})
    assert (unknown.status_code, unknown.json()["code"]) == (404, "NO_SUCH_KIND")
