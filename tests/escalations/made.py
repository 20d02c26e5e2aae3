"""A case to test with: an upgrade that was sent and never answered, and everybody around it."""

import json
from datetime import UTC, datetime, timedelta

from console.kit.actor import Actor, ActorKind
from escalations import contract, operations
from escalations.contract.package import OpenCase, ReviseCase

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
AGENT = Actor(ActorKind.AGENT, "1", "trip-booker")
OTHER_AGENT = Actor(ActorKind.AGENT, "2", "group-desk")
ANA = Actor(ActorKind.PERSON, "11", "ana", frozenset({"operator"}))
BEN = Actor(ActorKind.PERSON, "12", "ben", frozenset({"operator"}))
EVE = Actor(ActorKind.PERSON, "13", "eve")

UPGRADE = {
    "type": "object",
    "properties": {
        "flight": {"type": "string"},
        "points_max": {"type": "integer", "minimum": 0, "maximum": 38400},
        "seat_pref": {"enum": ["window", "aisle", "any"]},
    },
    "required": ["flight", "points_max"],
    "additionalProperties": False,
}


def step(name, tool, **more):
    said = {"id": name, "tool": tool, "args": {}, "side_effect": "write", "idempotency_key": f"key-{name}"}
    return {**said, **more}


def find_out():
    """The plan of the mock: look first, send again only if nothing is found, then tell the traveller."""
    ask = step("s1", "upgrade.status", args={"key": "upg-7f3c"}, side_effect="read", reconciles="call-5")
    send = step(
        "s2",
        "upgrade.request",
        args={"flight": "MU5138", "points_max": 32000, "seat_pref": "any"},
        args_schema=UPGRADE,
        depends_on=["s1"],
        run_if={"step": "s1", "is": "empty"},
        idempotency_key="upg-7f3c",
    )
    tell = step("s3", "traveller.notify", args={"traveller": "T-5071"}, depends_on=["s2"], reversible=True)
    return {
        "id": "A",
        "kind": "continue",
        "title": "Find out first",
        "rationale": "Safe.",
        "risk": "low",
        "recommended": True,
        "steps": [ask, send, tell],
    }


def keep_seat():
    return {"id": "B", "kind": "degrade", "title": "Keep the economy seat", "risk": "none", "steps": []}


def package(**changes):
    said = {
        "key": "case-1",
        "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
        "title": "Upgrade sent, no answer in 10 seconds",
        "goal": "Book Shanghai to Beijing for T-5071, window seat, upgraded if the balance allows.",
        "trigger": "unknown_outcome",
        "severity": "high",
        "allowed": ["approve", "edit", "reject", "respond"],
        "steps": [
            {
                "call_id": "call-2",
                "tool": "fare.hold",
                "args": {"flight": "MU5138"},
                "result": {"hold": "H-77120"},
                "status": "succeeded",
                "side_effect": "write",
                "reversible": True,
                "at": "2026-11-30T11:58:00+00:00",
            }
        ],
        "failure": {
            "call_id": "call-5",
            "tool": "upgrade.request",
            "class": "unknown_outcome",
            "code": "TIMEOUT",
            "constraint": "answer within 10 s",
            "received": "0 bytes in 10.000 s",
            "message": "httpx.ReadTimeout: no response within 10.0s",
            "idempotency_key": "upg-7f3c",
            "attempts": [
                {"n": 1, "started_at": "2026-11-30T11:59:00+00:00", "duration_ms": 10000, "wait_ms": 0}
            ],
        },
        "proposals": [find_out(), keep_seat()],
        "attempt": 1,
    }
    return {**said, **changes}


def reads_only(**changes):
    look = step("r1", "upgrade.status", args={"key": "k"}, side_effect="read")
    plan = {"id": "R", "kind": "continue", "title": "Look", "steps": [look]}
    return package(proposals=[plan], **changes)


def said(**changes):
    return OpenCase.model_validate_json(as_json(package(**changes)))


def as_json(value):
    return json.dumps(value)


def opened(*, by=AGENT, at=NOON, **changes):
    return operations.open_case(said=said(**changes), by=by, at=at).escalation


def revised(case_id, *, base_revision, by=AGENT, at=NOON, **changes):
    told = {name: value for name, value in package(**changes).items() if name != "key"}
    body = ReviseCase.model_validate_json(as_json({**told, "base_revision": base_revision}))
    return operations.revise(case_id=case_id, said=body, by=by, at=at)


def word(action="approve", **more):
    """What a person posts, as a dict."""
    more.setdefault("proposal_id", "A")
    return {"decision_key": "d-1", "base_revision": 1, "action": action, **more}


def decision(action="approve", *, key="d-1", base_revision=1, **more):
    if action in {"approve", "edit"}:
        more.setdefault("proposal_id", "A")
    if action == "reject":
        more.setdefault("message", "Ask the carrier by phone first.")
    told = {"decision_key": key, "base_revision": base_revision, "action": action, **more}
    return contract.Decide.model_validate_json(as_json(told))


def decided(case_id, action="approve", *, by=ANA, at=NOON, **more):
    return operations.decide(case_id=case_id, said=decision(action, **more), by=by, at=at).decision


def report(decided, status="executed", *, report_id="rep-1", steps=(), digest=None):
    told = {
        "report_id": report_id,
        "decision_id": str(decided.decision_id),
        "args_digest": digest or decided.args_digest,
        "status": status,
        "steps": list(steps),
    }
    return contract.ReportOutcome.model_validate_json(as_json(told))


def reported(decided, status="executed", *, by=AGENT, at=NOON, **more):
    told = report(decided, status, **more)
    return operations.report_outcome(case_id=decided.escalation_id, said=told, by=by, at=at)


def acknowledged(decided, *, by=AGENT, at=NOON, fence=None, digest=None):
    return operations.acknowledge(
        case_id=decided.escalation_id,
        decision_id=decided.decision_id,
        args_digest=digest or decided.args_digest,
        fence=fence,
        by=by,
        at=at,
    )


def later(**more):
    return NOON + timedelta(**more)


def real_now():
    """For what compares with the clock of the room."""
    return datetime.now(UTC)
