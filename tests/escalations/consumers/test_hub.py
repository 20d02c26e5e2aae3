import asyncio

import pytest
from channels.layers import get_channel_layer

from console.kit import hints
from escalations import operations, queries
from escalations.consumers import hub
from escalations.consumers import waiting_room as serving
from escalations.models import Decision
from escalations.queries.wire import spelled
from tests.escalations import made
from tests.escalations.live import (
    agent,
    connected,
    eventually,
    nothing,
    off_loop,
    said,
    subscribed,
    waiting_room,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
async def room(monkeypatch):
    async with waiting_room():
        yield


async def test_a_lost_hint_costs_seconds_and_no_decision(monkeypatch):
    monkeypatch.setattr(hub, "reread_s", 0.1)
    key, who = await agent()
    case = await off_loop(made.opened, by=who)
    async with connected(key) as talk:
        await subscribed(talk, case.id)
        monkeypatch.setattr(hints, "send", lambda *_: None)
        await off_loop(made.decided, case.id)
        assert (await said(talk))["escalation_id"] == str(case.id)


async def test_the_looks_do_not_repeat_what_a_socket_was_given(monkeypatch):
    monkeypatch.setattr(hub, "reread_s", 0.05)
    key, who = await agent()
    case = await off_loop(made.opened, by=who)
    async with connected(key) as talk:
        await subscribed(talk, case.id)
        await off_loop(made.decided, case.id)
        await said(talk)
        assert await nothing(talk, 0.3)
        await subscribed(talk, case.id)
        assert (await said(talk))["escalation_id"] == str(case.id)


async def test_a_dead_channel_layer_neither_undoes_nor_hides_a_decision(monkeypatch):
    monkeypatch.setattr(hub, "reread_s", 0.1)
    key, who = await agent()
    case = await off_loop(made.opened, by=who)

    async def down(*_):
        raise ConnectionError("no route to the layer")

    for verb in ("group_send", "group_add", "group_discard", "new_channel"):
        monkeypatch.setattr(get_channel_layer(), verb, down)
    async with connected(key) as talk:
        await subscribed(talk, case.id)
        await off_loop(made.decided, case.id)
        assert (await said(talk))["escalation_id"] == str(case.id)
    assert await off_loop(Decision.objects.count) == 1


async def test_two_processes_of_an_agent_both_get_it_and_the_row_says_it_once():
    key, who = await agent()
    case = await off_loop(made.opened, by=who)
    async with connected(key) as one, connected(key) as two:
        await subscribed(one, case.id)
        await subscribed(two, case.id)
        await asyncio.sleep(0.05)
        await off_loop(made.decided, case.id)
        assert (await said(one))["decision_id"] == (await said(two))["decision_id"]


async def test_a_decision_is_sent_when_its_undo_window_is_over(settings):
    settings.UNDO_WINDOW_S = 1
    key, who = await agent()
    case = await off_loop(made.opened, by=who)
    async with connected(key) as talk:
        await subscribed(talk, case.id)
        await off_loop(made.decided, case.id, at=made.real_now())
        assert await nothing(talk, 0.3)
        assert (await said(talk))["escalation_id"] == str(case.id)
        row = await off_loop(Decision.objects.get)
        assert row.delivered_at >= row.deliver_after


async def test_a_retracted_decision_is_not_sent(settings):
    settings.UNDO_WINDOW_S = 1
    key, who = await agent()
    case = await off_loop(made.opened, by=who)
    async with connected(key) as talk:
        await subscribed(talk, case.id)
        await off_loop(made.decided, case.id, at=made.real_now())
        await off_loop(operations.retract, case_id=case.id, by=made.ANA, at=made.real_now())
        assert await nothing(talk, 1.3)


async def test_nobody_is_remembered_after_they_left():
    key, who = await agent()
    case = await off_loop(made.opened, by=who)
    async with connected(key) as talk:
        await subscribed(talk, case.id)
        await eventually(lambda: hub.waiting() == 1)
    assert hub.waiting() == 0


async def test_what_was_sent_is_written_down_before_the_room_closes():
    key, who = await agent()
    case = await off_loop(made.opened, by=who)
    async with connected(key) as talk:
        await subscribed(talk, case.id)
        await off_loop(made.decided, case.id)
        await said(talk)
        await asyncio.sleep(0)
        await hub.stop()
    assert await eventually(lambda: Decision.objects.filter(delivered_at__isnull=False).exists())


async def test_in_the_deciding_process_the_row_goes_out_as_it_was_written_and_once(monkeypatch):
    key, who = await agent()
    case = await off_loop(made.opened, by=who)
    async with serving(), connected(key) as talk:
        await subscribed(talk, case.id)
        await eventually(lambda: hub.waiting() == 1)
        monkeypatch.setattr(queries, "out_for", None)  # nothing is read again
        decided = await off_loop(made.decided, case.id)
        told = await said(talk)
        assert told["decision_id"] == str(decided.decision_id)
        assert told == {"type": "decision", **spelled(decided)}
        assert await nothing(talk)
    assert await eventually(lambda: Decision.objects.filter(delivered_at__isnull=False).exists())


async def test_an_undo_window_is_kept_in_the_deciding_process_too(settings):
    settings.UNDO_WINDOW_S = 60
    key, who = await agent()
    case = await off_loop(made.opened, by=who)
    async with serving(), connected(key) as talk:
        await subscribed(talk, case.id)
        await off_loop(made.decided, case.id, at=made.real_now())
        assert await nothing(talk)
