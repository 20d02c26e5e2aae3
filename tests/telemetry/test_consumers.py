"""The poll for commands: answered at once where there is one, woken by a hint, empty when the time is over."""

import asyncio
import json
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.db import connections
from django.utils.timezone import now

from console.kit.actor import SYSTEM
from telemetry import operations
from telemetry.consumers import commands_poll, waits
from telemetry.contract import Heartbeat
from telemetry.vocabulary import CommandVerb
from tests import factories
from tests.telemetry.breakers import heartbeat, place

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def fleet(transactional_db):
    def make():
        agent = factories.agent()
        said = Heartbeat.read(json.dumps(heartbeat(place())).encode())
        operations.beat(agent_id=agent, instance="sh-1", said=said, at=now())
        return agent, factories.agent_key(agent)

    yield await sync_to_async(make)()
    await sync_to_async(connections.close_all)()


async def poll(key, query, *, gone=None):
    sent = []

    async def receive():
        if gone is not None:
            await gone.wait()
            return {"type": "http.disconnect"}
        return await asyncio.Future()

    async def send(message):
        sent.append(message)

    headers = [(b"authorization", f"Bearer {key}".encode())]
    await commands_poll({"headers": headers, "query_string": query.encode()}, receive, send)
    return sent[0]["status"], json.loads(sent[1]["body"])


def force_open():
    at = now()
    told = {"breaker": "points-api", "verb": CommandVerb.FORCE_OPEN, "reason": "window"}
    return operations.command_breaker(**told, expires_at=at + timedelta(hours=1), by=SYSTEM, at=at)


async def test_a_command_in_force_is_answered_at_once(fleet):
    _, key = fleet
    number = await sync_to_async(force_open)()
    status, said = await asyncio.wait_for(poll(key, "instance=sh-1&wait=30"), 5)
    assert (status, [order["number"] for order in said["commands"]], said["after"]) == (200, [number], number)


async def test_a_command_wakes_who_waits(fleet):
    _, key = fleet
    waiting = asyncio.create_task(poll(key, "instance=sh-1&after=0&wait=30"))
    await asyncio.sleep(0.05)
    await sync_to_async(force_open)()
    status, said = await asyncio.wait_for(waiting, 5)
    assert (status, said["commands"][0]["command"]) == (200, "force_open")


async def test_the_time_ends_without_a_command(fleet):
    _, key = fleet
    assert await asyncio.wait_for(poll(key, "instance=sh-1&wait=0.05"), 5) == (
        200,
        {"commands": [], "after": 0},
    )


async def test_a_client_that_has_gone_is_not_waited_for(fleet):
    _, key = fleet
    gone = asyncio.Event()
    waiting = asyncio.create_task(poll(key, "instance=sh-1&wait=60", gone=gone))
    await asyncio.sleep(0.05)
    gone.set()
    assert (await asyncio.wait_for(waiting, 5))[0] == 200


@pytest.mark.parametrize(
    ("key", "query", "status", "code"),
    [
        ("sb_no_key", "instance=a&wait=1", 401, "UNAUTHORIZED"),
        (None, "wait=1", 422, "BAD_QUERY"),
        (None, "instance=a&wait=x", 422, "BAD_QUERY"),
        (None, "instance=a&wait=inf", 422, "BAD_QUERY"),
        (None, "instance=a&wait=1&after=-3", 422, "BAD_QUERY"),
    ],
)
async def test_what_cannot_be_read_is_refused(fleet, key, query, status, code):
    _, live = fleet
    answer = await poll(key or live, query)
    assert (answer[0], answer[1]["code"]) == (status, code)


def test_only_requests_that_wait_come_here():
    assert waits({"query_string": b"instance=a&wait=5"})
    assert not waits({"query_string": b"instance=a"})
