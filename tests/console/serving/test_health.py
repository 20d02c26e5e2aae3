import asyncio
import json

import pytest

from console.serving import health
from console.serving.health import Ready, addresses, database, healthz, messages


async def ask(app):
    sent = []

    async def send(message):
        sent.append(message)

    await app({}, None, send)
    return sent[0]["status"], json.loads(sent[1]["body"])


async def fine():
    return None


async def behind():
    return "3 migrations are not applied"


async def broken():
    raise ConnectionError("refused")


async def test_alive_is_alive():
    assert await ask(healthz) == (200, {"status": "ok"})


async def test_ready_when_every_part_answers():
    assert await ask(Ready({"a": fine, "b": fine})) == (
        200,
        {"status": "ready", "checks": {"a": "ok", "b": "ok"}},
    )


async def test_not_ready_names_the_part_and_what_is_wrong_with_it():
    status, body = await ask(Ready({"a": fine, "b": behind, "c": broken}))
    assert status == 503
    assert body["checks"] == {"a": "ok", "b": "3 migrations are not applied", "c": "ConnectionError: refused"}


async def test_a_part_that_hangs_is_given_up(monkeypatch):
    monkeypatch.setattr(health, "CHECK_WITHIN_S", 0.01)
    status, body = await ask(Ready({"a": asyncio.Event().wait}))
    assert (status, body["checks"]["a"]) == (503, "TimeoutError")


@pytest.mark.django_db(transaction=True)
async def test_the_database_of_this_test_is_ready():
    assert await database() is None


async def test_the_channel_layer_gives_back_what_it_was_given():
    assert await messages() is None


async def test_a_view_that_cannot_be_loaded_is_not_ready(settings):
    assert await addresses() is None
    settings.ROOT_URLCONF = "no.such.table"
    status, body = await ask(Ready({"addresses": addresses}))
    assert (status, body["checks"]["addresses"]) == (503, "ModuleNotFoundError: No module named 'no'")
