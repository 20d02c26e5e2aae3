"""What is written in one turn of the loop is sent together, in its order, and nothing is held back for good."""

import asyncio
import urllib.request

import pytest
import uvicorn

from console.serving.one_packet import OnePacketProtocol, Together
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


async def test_through_the_server_whole_and_streamed_answers_arrive():
    ready = asyncio.Event()
    plain = uvicorn.Config(answers, port=0, http=OnePacketProtocol, lifespan="off", log_config=None)
    server = Server(plain, ready=ready.set)
    serving = asyncio.create_task(server.serve())
    await ready.wait()
    port = server.servers[0].sockets[0].getsockname()[1]
    told = [await asyncio.to_thread(read, f"http://127.0.0.1:{port}{path}") for path in ("/", "/slow", "/")]
    server.should_exit = True
    await serving
    assert told == ["012"] * 3
