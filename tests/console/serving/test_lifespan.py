import asyncio
from contextlib import asynccontextmanager

import pytest
from channels.layers import get_channel_layer

from console.celery import app
from console.serving.lifespan import Embedded, Lifespan, NotAlone, bound_layer, claimed, warmed, why_not_alone


class Server:
    """Follows the lifespan protocol as uvicorn does."""

    def __init__(self, lifetimes):
        self.sent, self._said, self._answered = [], asyncio.Queue(), asyncio.Event()
        self._said.put_nowait({"type": "lifespan.startup"})
        self._run = asyncio.ensure_future(
            Lifespan(lifetimes)({"type": "lifespan"}, self._said.get, self._send)
        )

    async def _send(self, message):
        self.sent.append(message)
        self._answered.set()

    async def until_started(self):
        await self._answered.wait()
        return self.sent[0]

    async def end(self):
        self._said.put_nowait({"type": "lifespan.shutdown"})
        await self._run
        return self.sent[-1]["type"]


def lifetime(name, log, *, fails=False):
    @asynccontextmanager
    async def living():
        if fails:
            raise NotAlone("somebody else is here")
        log.append(f"{name} in")
        yield
        log.append(f"{name} out")

    return living


async def test_lifetimes_are_entered_in_order_and_left_in_reverse():
    log = []
    server = Server([lifetime("a", log), lifetime("b", log)])
    assert await server.until_started() == {"type": "lifespan.startup.complete"}
    assert log == ["a in", "b in"]
    assert await server.end() == "lifespan.shutdown.complete"
    assert log == ["a in", "b in", "b out", "a out"]


async def test_a_lifetime_that_refuses_stops_the_start_with_its_sentence_and_leaves_the_others():
    log = []
    server = Server([lifetime("a", log), lifetime("b", log, fails=True)])
    assert await server.until_started() == {
        "type": "lifespan.startup.failed",
        "message": "somebody else is here",
    }
    assert log == ["a in", "a out"]


def test_a_data_folder_is_served_by_one_process(tmp_path):
    with claimed(tmp_path), pytest.raises(NotAlone, match="stop the other one"), claimed(tmp_path):
        raise AssertionError("unreachable")


def test_a_data_folder_is_free_again_afterwards(tmp_path):
    with claimed(tmp_path):
        assert (tmp_path / "serving.lock").read_text().strip().isdigit()
    with claimed(tmp_path):
        assert (tmp_path / "serving.lock").exists()


async def test_the_layer_belongs_to_the_servers_loop_while_it_lives(settings):
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "console.embedded.layer.LoopBoundInMemoryChannelLayer"}}
    async with bound_layer():
        assert get_channel_layer().owner is asyncio.get_running_loop()
    assert get_channel_layer().owner is None


async def test_at_scale_the_embedded_worker_is_not_started_and_not_missed(settings):
    settings.EMBEDDED = False
    embedded = Embedded(lambda: app)
    async with embedded.running():
        assert await embedded.check() is None


async def test_embedded_the_worker_lives_as_long_as_the_server(settings, tmp_path):
    settings.EMBEDDED, settings.DATA_DIR = True, tmp_path
    embedded = Embedded(lambda: app)
    async with embedded.running():
        assert await asyncio.to_thread(embedded.wait_until_ready, 10)
        assert await embedded.check() is None
    assert await embedded.check() == "the embedded worker is not running"


async def test_views_that_cannot_be_loaded_do_not_stop_the_server_and_are_told_in_the_log(settings, caplog):
    settings.ROOT_URLCONF = "no.such.table"
    with caplog.at_level("ERROR", logger="console.serving.lifespan"):
        async with warmed():
            pass
    assert "The views of the console could not be loaded." in caplog.text


async def test_an_end_that_nobody_asked_for_closes_what_was_opened_all_the_same():
    log = []
    server = Server([lifetime("a", log), lifetime("b", log)])
    await server.until_started()
    server._run.cancel()
    await server._run
    assert log == ["a in", "b in", "b out", "a out"]


def test_another_process_on_the_same_folder_is_named_before_anything_starts(settings, tmp_path):
    settings.EMBEDDED = True
    assert why_not_alone(tmp_path) is None
    with claimed(tmp_path):
        assert why_not_alone(tmp_path).startswith(f"Another process serves this data folder ({tmp_path}).")
        settings.EMBEDDED = False
        assert why_not_alone(tmp_path) is None
