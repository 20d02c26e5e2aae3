import asyncio

import pytest

from escalations.consumers import long_poll as room_door
from escalations.consumers import waits
from escalations.models import Decision
from telemetry import operations as facts
from telemetry.models import AgentKey
from tests.escalations import made
from tests.escalations.live import agent, bearer, off_loop, polled, waiting_room

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
async def room():
    async with waiting_room():
        yield


async def test_a_poll_is_answered_as_soon_as_somebody_decides():
    key, who = await agent()
    case = await off_loop(made.opened, by=who)
    asking = asyncio.create_task(polled(key, case.id, wait="9"))
    await asyncio.sleep(0.1)
    decided = await off_loop(made.decided, case.id)
    status, body = await asking
    assert (status, body["decision_id"]) == (200, str(decided.decision_id))
    assert (await off_loop(Decision.objects.get)).delivered_at is None


async def test_a_poll_that_meets_nothing_ends_with_204():
    key, who = await agent()
    case = await off_loop(made.opened, by=who)
    assert await polled(key, case.id, wait="0.2") == (204, None)


async def test_what_is_decided_already_is_answered_at_once_acknowledged_or_not():
    key, who = await agent()
    case = await off_loop(made.opened, by=who)
    decided = await off_loop(made.decided, case.id)
    await off_loop(made.acknowledged, decided, by=who)
    status, body = await polled(key, case.id)
    assert (status, body["kind"]) == (200, "decision")


async def test_a_superseded_revision_is_no_answer_about_the_current_one():
    key, who = await agent()
    case = await off_loop(made.opened, by=who)
    asking = asyncio.create_task(polled(key, case.id, wait="9"))
    await asyncio.sleep(0.1)
    await off_loop(made.revised, case.id, base_revision=1, by=who, title="Changed")
    await asyncio.sleep(0.1)
    assert not asking.done()
    await off_loop(made.decided, case.id, "reject", base_revision=2)
    status, body = await asking
    assert (status, body["revision"], body["action"]) == (200, 2, "reject")
    assert (await polled(key, case.id, query="&revision=1"))[1]["kind"] == "superseded"


@pytest.mark.parametrize(
    ("wait", "query"), [("x", ""), ("-1", ""), ("nan", ""), ("1", "&revision=0"), ("inf", "")]
)
async def test_a_query_that_cannot_be_read_is_refused(wait, query):
    key, who = await agent()
    case = await off_loop(made.opened, by=who)
    status, body = await polled(key, case.id, wait=wait, query=query)
    assert (status, body["code"]) == (422, "BAD_QUERY")


async def test_strangers_and_other_agents_get_nothing():
    _, who = await agent()
    other, _ = await agent("group-desk")
    case = await off_loop(made.opened, by=who)
    assert (await polled(None, case.id))[0] == 401
    status, body = await polled(other, case.id)
    assert (status, body["code"]) == (404, "NO_SUCH_CASE")


async def test_a_client_that_goes_away_is_not_waited_for():
    key, who = await agent()
    case = await off_loop(made.opened, by=who)
    said = [{"type": "http.request", "body": b"", "more_body": False}, {"type": "http.disconnect"}]

    async def receive():
        return said.pop(0)

    async def send(message):
        assert message["type"].startswith("http.response")

    scope = {
        "headers": bearer(key),
        "query_string": b"wait=60",
        "path_params": {"escalation_id": str(case.id)},
    }
    await asyncio.wait_for(room_door(scope, receive, send), 5)


async def test_a_poll_ends_at_once_when_its_key_is_revoked_and_tells_nothing_any_more():
    key, who = await agent()
    case = await off_loop(made.opened, by=who)
    asking = asyncio.create_task(polled(key, case.id, wait="60"))
    await asyncio.sleep(0.1)
    await off_loop(revoke, who)
    status, body = await asyncio.wait_for(asking, 3)
    assert (status, body["code"]) == (401, "UNAUTHORIZED")
    await off_loop(made.decided, case.id)
    assert (await polled(key, case.id))[0] == 401


async def test_a_decision_that_comes_after_the_key_was_revoked_stays_here_though_the_hint_was_lost(
    monkeypatch,
):
    monkeypatch.setattr("telemetry.announce.send", lambda *_, **__: None)
    key, who = await agent()
    case = await off_loop(made.opened, by=who)
    asking = asyncio.create_task(polled(key, case.id, wait="60"))
    await asyncio.sleep(0.1)
    await off_loop(revoke, who)
    await off_loop(made.decided, case.id)
    assert (await asyncio.wait_for(asking, 3))[0] == 401


def revoke(who):
    """Revoke the one key of an agent."""
    key = AgentKey.objects.get(agent_id=int(who.id))
    facts.revoke_key(key_id=key.pk, by=made.ANA, at=made.real_now())


def test_only_requests_that_wait_are_kept_from_django():
    assert waits({"query_string": b"wait=25"})
    assert not waits({"query_string": b""})
    assert not waits({"query_string": b"revision=1&wait="})
