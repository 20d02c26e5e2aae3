import json
from datetime import timedelta

import pytest

from escalations.models import Case, Decision
from telemetry import contract
from telemetry import operations as facts
from telemetry.models import BreakerAck
from tests.escalations import doors, made
from tests.escalations.live import (
    Talk,
    agent,
    bearer,
    connected,
    eventually,
    nothing,
    off_loop,
    said,
    subscribed,
    waiting_room,
)
from tests.telemetry import breakers

pytestmark = pytest.mark.django_db(transaction=True)

DEEP = "[" * 900 + "]" * 900


@pytest.fixture(autouse=True)
async def room():
    async with waiting_room():
        yield


async def acked(talk, decided, **more):
    told = {"decision_id": str(decided["decision_id"]), "args_digest": decided["args_digest"], **more}
    await talk.tell({"type": "ack", **told})


async def test_a_decision_is_pushed_and_the_row_says_delivered():
    key, who = await agent()
    case = await off_loop(made.opened, by=who)
    async with connected(key) as talk:
        await subscribed(talk, case.id)
        decided = await off_loop(made.decided, case.id)
        told = await said(talk)
        assert (told["type"], told["decision_id"]) == ("decision", str(decided.decision_id))
        assert told["args_digest"] == decided.args_digest
        assert told["steps"][1]["run_if"] == {"step": "s1", "is": "empty"}
        row = await eventually(lambda: Decision.objects.filter(delivered_at__isnull=False).first())
        assert (row.delivered_by, row.execution) == ("socket", "delivered")


async def test_what_was_decided_meanwhile_comes_on_connect_in_order_until_it_is_acknowledged():
    """Check: kill the agent between decide and delivery; reconnect: decision arrives, once."""
    key, who = await agent()
    first = await off_loop(made.opened, by=who, key="a")
    second = await off_loop(made.opened, by=who, key="b")
    await off_loop(made.decided, second.id)
    await off_loop(made.decided, first.id, "reject")
    async with connected(key) as talk:
        await subscribed(talk, first.id, second.id)
        told = [await said(talk), await said(talk)]
        assert [each["escalation_id"] for each in told] == [str(second.id), str(first.id)]
        assert [each["seq"] for each in told] == [1, 2]
        await acked(talk, told[0])
        await eventually(lambda: Decision.objects.filter(acknowledged_at__isnull=False).exists())
    async with connected(key) as again:
        await subscribed(again, first.id, second.id)
        assert (await said(again))["escalation_id"] == str(first.id)
        assert await nothing(again)


async def test_an_acknowledgement_is_a_column():
    key, who = await agent()
    case = await off_loop(made.opened, by=who)
    decided = await off_loop(made.decided, case.id)
    async with connected(key) as talk:
        await acked(talk, json.loads(decided.model_dump_json()), fence=4)
        row = await eventually(lambda: Decision.objects.filter(acknowledged_at__isnull=False).first())
        assert row.fence == 4
        await acked(talk, json.loads(decided.model_dump_json()), fence=3)
        refused = await said(talk)
        assert (refused["type"], refused["code"]) == ("refusal", "STALE_FENCE")
        assert refused["about"]["decision_id"] == str(decided.decision_id)
    assert (await off_loop(Case.objects.get)).execution == "acknowledged"


async def test_only_what_was_subscribed_comes():
    key, who = await agent()
    mine = await off_loop(made.opened, by=who, key="a")
    other = await off_loop(made.opened, by=who, key="b")
    async with connected(key) as talk:
        await subscribed(talk, mine.id)
        await off_loop(made.decided, other.id, "reject")
        await off_loop(made.decided, mine.id, "reject")
        assert (await said(talk))["escalation_id"] == str(mine.id)
        assert await nothing(talk)


async def test_another_agents_cases_are_not_there():
    key, _ = await agent()
    _, other = await agent("group-desk")
    case = await off_loop(made.opened, by=other)
    decided = await off_loop(made.decided, case.id)
    async with connected(key) as talk:
        await subscribed(talk, case.id)
        refused = await said(talk)
        assert (refused["code"], refused["about"]["escalation_ids"]) == ("NO_SUCH_CASE", [str(case.id)])
        await acked(talk, json.loads(decided.model_dump_json()))
        assert (await said(talk))["code"] == "NO_SUCH_CASE"
        assert await nothing(talk)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "NOT_UNDERSTOOD"),
        ("[]", "NOT_UNDERSTOOD"),
        ('{"type": "decide"}', "NOT_UNDERSTOOD"),
        ('{"type": 7}', "NOT_UNDERSTOOD"),
        ('{"type": "decide", "decision_id": ' + DEEP + "}", "NOT_UNDERSTOOD"),
        ('{"type": "subscribe", "escalation_ids": ' + DEEP + "}", "MALFORMED"),
        ('{"type": "ack", "decision_id": ' + DEEP + "}", "MALFORMED"),
        ('{"type": "breaker_ack", "detail": ' + DEEP + "}", "MALFORMED"),
        ('{"type": "' + "x" * 100_000 + '"}', "NOT_UNDERSTOOD"),
        (DEEP, "NOT_UNDERSTOOD"),
        ('{"type": "subscribe"}', "MALFORMED"),
        ('{"type": "subscribe", "escalation_ids": ["x"]}', "MALFORMED"),
        ('{"type": "ack", "decision_id": "x", "args_digest": "y"}', "MALFORMED"),
        ('{"type": "subscribe", "escalation_ids": []}', "MALFORMED"),
        ("{" * 10_000, "NOT_UNDERSTOOD"),
    ],
)
async def test_a_message_that_cannot_be_understood_is_answered_and_the_socket_stays(text, code):
    key, _ = await agent()
    async with connected(key) as talk:
        await talk.tell(text)
        assert (await said(talk))["code"] == code
        await talk.tell_bytes(b'{"type": "nonsense"}')
        assert (await said(talk))["code"] == "NOT_UNDERSTOOD"


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/ws/agent/v1", []),
        ("/ws/agent/v1", bearer("sb_wrong_key")),
        ("/ws/agent/v1", [(b"authorization", b"Basic x")]),
        ("/ws/agent/v1?key={key}", []),
    ],
)
async def test_without_a_live_key_in_the_header_there_is_no_socket(path, headers):
    key, _ = await agent()
    talk = Talk(path=path.format(key=key), headers=headers)
    assert await talk.connect() == {"type": "websocket.close", "code": 4401}


async def test_a_client_without_headers_shows_its_key_as_a_subprotocol():
    key, _ = await agent()
    offered = ["switchboard.agent.v1", f"bearer.{key}"]
    talk = Talk(subprotocols=offered)
    assert await talk.connect() == {"type": "websocket.accept", "subprotocol": "switchboard.agent.v1"}
    assert (await said(talk))["type"] == "hello"
    await talk.hang_up()


async def test_where_the_server_can_say_so_a_stranger_gets_401():
    talk = Talk(extensions={"websocket.http.response": {}})
    assert (await talk.connect())["status"] == 401
    assert json.loads((await talk.heard())["body"])["code"] == "UNAUTHORIZED"


async def beating(key, instance="sh-1"):
    """Let an instance of the agent tell of its breaker, as its heartbeat would."""
    principal = await off_loop(doors.principal, key)
    said = contract.Heartbeat.model_validate_json(json.dumps(breakers.heartbeat(breakers.place())))
    more = {"agent_id": principal.agent_id, "instance": instance, "said": said, "at": breakers.NOON}
    await off_loop(facts.beat, **more)
    return principal


async def commanded():
    more = {"reason": "provider is down", "expires_at": made.real_now() + timedelta(hours=1)}
    return await off_loop(
        facts.command_breaker,
        breaker="points-api",
        verb="force_open",
        by=made.ANA,
        at=made.real_now(),
        **more,
    )


async def test_a_breaker_command_reaches_every_socket_of_the_agent_and_is_acknowledged_there():
    key, _ = await agent()
    other, _ = await agent("group-desk")
    await beating(key)
    async with connected(key) as one, connected(key) as two, connected(other) as stranger:
        await commanded()
        told = [await said(one), await said(two)]
        assert {(each["type"], each["command"], each["breaker"]) for each in told} == {
            ("breaker_command", "force_open", "points-api")
        }
        assert await nothing(stranger)
        ack = {"type": "breaker_ack", "command_id": told[0]["command_id"], "status": "applied"}
        await one.tell(
            {**ack, "instance_id": "sh-1", "state": "forced_open", "at": breakers.NOON.isoformat()}
        )
        row = await eventually(BreakerAck.objects.first)
        assert (row.status, row.state) == ("applied", "forced_open")
        await one.tell({**ack, "instance_id": "nobody", "at": breakers.NOON.isoformat()})
        assert (await said(one))["code"] == "NO_SUCH_INSTANCE"


def revoke(key):
    principal = doors.principal(key)
    facts.revoke_key(key_id=principal.key_id, by=made.ANA, at=made.real_now())


async def test_a_key_that_is_revoked_gets_nothing_more_on_an_open_socket():
    key, who = await agent()
    case = await off_loop(made.opened, by=who)
    async with connected(key) as talk:
        await subscribed(talk, case.id)
        await off_loop(revoke, key)
        await off_loop(made.decided, case.id)
        assert await talk.heard() == {"type": "websocket.close", "code": 4401}
    assert (await off_loop(Decision.objects.get)).delivered_at is None


async def test_an_idle_socket_closes_at_once_when_its_key_is_revoked():
    key, _ = await agent()
    async with connected(key) as talk:
        await off_loop(revoke, key)
        assert await talk.heard() == {"type": "websocket.close", "code": 4401}


async def test_a_key_that_is_revoked_acknowledges_nothing_more_on_an_open_socket():
    key, who = await agent()
    case = await off_loop(made.opened, by=who)
    decided = await off_loop(made.decided, case.id)
    async with connected(key) as talk:
        await subscribed(talk, case.id)
        told = await said(talk)
        await off_loop(revoke, key)
        await acked(talk, told)
        assert await talk.heard() == {"type": "websocket.close", "code": 4401}
    row = await off_loop(Decision.objects.get, pk=decided.decision_id)
    assert row.acknowledged_at is None
