"""What is written in one turn of the loop is sent together, in its order, and nothing is held back for good."""

import asyncio
import urllib.request
from contextlib import asynccontextmanager

import pytest
import uvicorn

from console.serving.one_packet import MOST_WAITING, OnePacketProtocol, Together
from console.serving.server import Server


class Wire:
    """A transport that writes down what it is asked to send."""

    def __init__(self):
        self.sent, self.closed = [], False

    def write(self, data):
        assert not self.closed
        self.sent.append(data)

    def writelines(self, parts):
        self.write(b"".join(parts))

    def close(self):
        self.closed = True

    def is_closing(self):
        return self.closed


@pytest.fixture
async def together():
    return Together(Wire(), asyncio.get_running_loop())


async def test_head_and_body_are_one_packet(together):
    together.write(b"head")
    assert together.bare.sent == []
    together.write(b"body")
    assert together.bare.sent == [b"headbody"]
    await asyncio.sleep(0)
    assert together.bare.sent == [b"headbody"]


async def test_a_head_whose_body_is_long_in_coming_is_sent_at_the_next_turn(together):
    together.write(b"head")
    await asyncio.sleep(0)
    assert together.bare.sent == [b"head"]
    together.write(b"later")
    await asyncio.sleep(0)
    assert together.bare.sent == [b"head", b"later"]


async def test_any_number_of_writes_keeps_its_order(together):
    for n in range(7):
        together.write(b"%d" % n)
    await asyncio.sleep(0)
    assert b"".join(together.bare.sent) == b"0123456"


async def test_what_is_held_goes_out_before_the_end(together):
    together.write(b"bye")
    together.close()
    assert together.bare.sent == [b"bye"]
    assert together.bare.closed


async def test_what_comes_for_one_that_has_gone_is_dropped(together):
    together.bare.close()
    together.write(b"head")
    together.write(b"body")
    await asyncio.sleep(0)
    assert together.bare.sent == []


async def test_nothing_is_written_to_a_connection_that_has_gone(together):
    together.write(b"head")
    together.bare.close()
    await asyncio.sleep(0)
    assert together.bare.sent == []
    assert together.is_closing()


async def answers(scope, receive, send):
    """Stream three parts with a pause, or answer at once."""
    await receive()
    slow = scope["path"] == "/slow"
    await send({"type": "http.response.start", "status": 200, "headers": []})
    for n in range(3):
        await send({"type": "http.response.body", "body": b"%d" % n, "more_body": True})
        await asyncio.sleep(0.01 if slow else 0)
    await send({"type": "http.response.body", "body": b""})


def read(url):
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.read().decode()


@asynccontextmanager
async def served(app):
    ready = asyncio.Event()
    plain = uvicorn.Config(app, port=0, http=OnePacketProtocol, lifespan="off", log_config=None)
    server = Server(plain, ready=ready.set)
    serving = asyncio.create_task(server.serve())
    await ready.wait()
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        await serving


async def test_through_the_server_whole_and_streamed_answers_arrive():
    async with served(answers) as port:
        told = [
            await asyncio.to_thread(read, f"http://127.0.0.1:{port}{path}") for path in ("/", "/slow", "/")
        ]
    assert told == ["012"] * 3


async def number(scope, receive, send):
    await receive()
    body = scope["path"][1:].encode()
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]}
    )
    await send({"type": "http.response.body", "body": body})


def asked(*paths, more=b""):
    return b"".join(b"GET /%s HTTP/1.1\r\nHost: x\r\n%s\r\n" % (str(path).encode(), more) for path in paths)


async def test_requests_that_come_ahead_are_answered_in_their_order():
    async with served(number) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        numbers = range(100, 160)
        writer.write(asked(*numbers))
        for n in numbers:
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
            assert await reader.readexactly(3) == b"%d" % n
        writer.close()


async def test_a_connection_that_sends_without_end_and_reads_nothing_is_ended():
    started = []

    async def waits(scope, receive, send):
        started.append(scope["path"])
        while (await receive())["type"] != "http.disconnect":
            pass

    async with served(waits) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(asked(*range(MOST_WAITING + 2)))
        assert b" 400 " in await asyncio.wait_for(reader.read(), 5)
        assert started == ["/0"]
        writer.close()


async def test_while_requests_wait_no_more_are_read():
    going = asyncio.Event()

    async def waits(scope, receive, send):
        await going.wait()
        await number(scope, receive, send)

    held = []

    class Looked(OnePacketProtocol):
        def on_response_complete(self):
            super().on_response_complete()
            held.append((bool(self.pipeline), self.flow.read_paused))

    ready = asyncio.Event()
    server = Server(
        uvicorn.Config(waits, port=0, http=Looked, lifespan="off", log_config=None), ready=ready.set
    )
    serving = asyncio.create_task(server.serve())
    await ready.wait()
    reader, writer = await asyncio.open_connection("127.0.0.1", server.servers[0].sockets[0].getsockname()[1])
    writer.write(asked(*range(10, 20)))
    going.set()
    for _ in range(10):
        await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(2)
    writer.close()
    server.should_exit = True
    await serving
    assert held == [(True, True)] * 8 + [(False, False)] * 2


async def test_a_websocket_behind_a_request_that_waits_is_refused():
    upgrade = b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    upgrade += b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    async with served(answers) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(asked("slow") + asked("ws", more=upgrade))
        assert b" 101 " not in await asyncio.wait_for(reader.read(), 5)
        writer.close()
