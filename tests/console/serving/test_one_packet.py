"""What is written in one turn of the loop is sent together, in its order, and nothing is held back for good."""

import asyncio
import urllib.request
from contextlib import asynccontextmanager

import pytest
import uvicorn
from uvicorn.server import ServerState

from console.serving.one_packet import MOST_WAITING, OnePacketProtocol, Together
from console.serving.server import Server


class Wire:
    """A transport that writes down what it is asked to send."""

    def __init__(self):
        self.sent, self.closed, self.reading = [], False, True

    def write(self, data):
        assert not self.closed
        self.sent.append(data)

    def writelines(self, parts):
        self.write(b"".join(parts))

    def close(self):
        self.closed = True

    def is_closing(self):
        return self.closed

    def pause_reading(self):
        self.reading = False

    def resume_reading(self):
        self.reading = True

    def get_extra_info(self, _name):
        return None


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


class Line:
    """A connection without a network: what comes is given to the protocol, and its applications run to their end."""

    def __init__(self, app):
        self.wire, self.state = Wire(), ServerState()
        plain = uvicorn.Config(app, ws="websockets-sansio", lifespan="off", log_config=None)
        self.protocol = OnePacketProtocol(plain, self.state, {})
        self.protocol.connection_made(self.wire)

    @property
    def answers(self):
        return b"".join(self.wire.sent)

    async def settled(self):
        async with asyncio.timeout(5):
            while self.state.tasks:
                await asyncio.gather(*self.state.tasks)
                await asyncio.sleep(0)


def held(until, seen):
    """Give an application that answers from `until` on, and notes what it was asked and what it was told."""

    async def app(scope, receive, send):
        seen.append(scope["path"])
        seen.append((await receive())["type"])
        await until.wait()
        await number(scope, lambda: asyncio.sleep(0), send)

    return app


async def test_of_a_chunk_with_thousands_of_requests_some_are_answered_and_the_last_answer_says_so():
    seen = []
    line = Line(held(asyncio.Event(), seen))
    line.protocol.data_received(asked(*range(5000)))
    assert len(line.protocol.pipeline) == MOST_WAITING
    line.protocol.data_received(asked(*range(5000)))
    assert len(line.protocol.pipeline) == MOST_WAITING
    line.protocol.connection_lost(None)

    line = Line(number)
    line.protocol.data_received(asked(*range(1000, 6000)))
    await line.settled()
    *most, last = line.answers.split(b"HTTP/1.1 200 OK")[1:]
    assert [int(one[-4:]) for one in (*most, last)] == list(range(1000, 1001 + MOST_WAITING))
    assert b"connection: close" in last
    assert b"connection: close" not in b"".join(most)
    assert line.wire.closed


async def test_while_requests_wait_nothing_more_is_read():
    going, seen = asyncio.Event(), []
    line = Line(held(going, seen))
    read_on = []
    line.wire.resume_reading = lambda: read_on.append(len(seen))
    line.protocol.data_received(asked(*range(5)))
    await asyncio.sleep(0)
    assert seen == ["/0", "http.request"]
    assert not line.wire.reading
    going.set()
    await line.settled()
    assert read_on == [9]  # by the last of them
    assert line.answers.count(b"200 OK") == 5


async def test_the_body_of_the_last_that_waits_is_read_when_its_turn_comes():
    going, seen = asyncio.Event(), []

    async def app(scope, receive, send):
        if scope["method"] == "POST":
            while (part := await receive())["more_body"]:
                seen.append(part["body"])
        await held(going, seen)(scope, receive if scope["method"] == "GET" else heard, send)

    async def heard():
        return {"type": "http.request"}

    line = Line(app)
    post = b"POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nab"
    line.protocol.data_received(asked(0) + post)
    await asyncio.sleep(0)
    assert not line.wire.reading
    going.set()
    for _ in range(5):
        await asyncio.sleep(0)
    assert line.wire.reading
    line.protocol.data_received(b"cd")
    await line.settled()
    assert line.answers.count(b"200 OK") == 2
    assert line.answers.endswith(b"p")


WEBSOCKET = (
    b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


@pytest.mark.parametrize("ahead", [1, 2, 3])
@pytest.mark.parametrize("behind", [asked("ws", more=WEBSOCKET), b"what is this\r\n\r\n"])
async def test_what_cannot_go_on_behind_requests_ends_the_connection_after_their_answers(ahead, behind):
    line = Line(answers)
    line.protocol.data_received(asked(*["slow"] * ahead) + behind + asked("late"))
    line.protocol.data_received(b"and more")
    await line.settled()
    assert line.answers.count(b"HTTP/1.1 200") == line.answers.count(b"HTTP/1.1 ") == ahead
    assert line.answers.endswith(b"2\r\n0\r\n\r\n")
    assert line.wire.closed


async def test_what_is_no_request_is_told_so_where_no_answer_is_owed():
    line = Line(number)
    line.protocol.data_received(asked(1))
    await line.settled()
    line.protocol.data_received(b"what is this\r\n\r\n")
    assert line.answers.count(b" 400 ") == 1
    assert line.wire.closed


async def test_who_leaves_with_requests_waiting_is_sent_nothing_and_the_one_in_work_is_told(caplog):
    told = []

    async def app(scope, receive, send):
        told.append((await receive())["type"])
        told.append((await receive())["type"])
        await number(scope, lambda: asyncio.sleep(0), send)

    line = Line(app)
    line.protocol.data_received(asked(*range(5)))
    await asyncio.sleep(0)
    line.wire.close()
    line.protocol.connection_lost(None)
    await line.settled()
    assert told == ["http.request", "http.disconnect"]
    assert (line.answers, caplog.records) == (b"", [])
