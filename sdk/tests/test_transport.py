import asyncio

import pytest

import switchboard
from switchboard._transport import Answer, HttpTransport, NoAnswer, Request, SocketRefused, WebSocketDial


async def send(server, request, *, timeout_s=5.0, key=None):
    transport = HttpTransport(url=server.url, key=key or server.key, agent="test")
    try:
        return await transport.send(request, timeout_s=timeout_s)
    finally:
        await transport.close()


async def test_an_answer_is_an_answer_whatever_its_status(server):
    answer = await send(server, Request("GET", "/api/v1/nothing"))
    assert (answer.status, answer.mapping()["code"]) == (404, "NOT_FOUND")
    assert answer.headers["content-type"] == "application/json"
    assert (await send(server, Request("GET", "/x"), key="sb_other")).status == 401


async def test_the_key_and_the_agent_are_shown_and_a_body_is_json(server):
    await send(server, Request("POST", "/api/v1/calls", b"{}"))
    headers = server.requests[0].headers
    assert headers["authorization"] == f"Bearer {server.key}"
    assert (headers["user-agent"], headers["content-type"]) == ("test", "application/json")


async def test_a_redirect_is_not_followed(server):
    server.plan(302, headers={"location": "http://elsewhere.invalid/"})
    assert (await send(server, Request("GET", "/x"))).status == 302


async def test_silence_and_a_closed_port_are_no_answer(server):
    server.slow_s = 5.0
    with pytest.raises(NoAnswer, match=r"within 0\.1 s"):
        await send(server, Request("GET", "/x"), timeout_s=0.1)
    server.stop()
    with pytest.raises(NoAnswer, match=server.url):
        await send(server, Request("GET", "/x"))


async def test_the_address_in_an_error_has_no_password():
    transport = HttpTransport(url="http://ana:secret@127.0.0.1:1", key="sb_key", agent="test")
    with pytest.raises(NoAnswer, match=r"^http://127\.0\.0\.1:1: ConnectError"):
        await transport.send(Request("GET", "/x"), timeout_s=5)
    await transport.close()


async def test_a_cancelled_request_stays_cancelled(server):
    server.slow_s = 5.0
    task = asyncio.create_task(send(server, Request("GET", "/x")))
    await asyncio.sleep(0.1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def dial(server):
    url = server.url.replace("http", "ws") + "/ws/agent/v1"
    return WebSocketDial(url=url, key=server.key, agent="test", timeout_s=2.0)


async def test_a_socket_that_is_refused_says_with_which_status(server):
    server.refuse_sockets = 403
    with pytest.raises(SocketRefused) as seen:
        await dial(server)()
    assert seen.value.status == 403


async def test_a_socket_to_nowhere_is_no_answer(server):
    server.stop()
    with pytest.raises(NoAnswer):
        await dial(server)()


async def test_a_broken_socket_is_no_answer_for_reader_and_writer(server):
    socket = await dial(server)()
    assert '"hello"' in await socket.receive()
    server.drop_sockets()
    with pytest.raises(NoAnswer):
        await socket.receive()
    with pytest.raises(NoAnswer):
        await socket.send("{}")
    await socket.close()


@pytest.mark.parametrize("body", [b"<html>", b"\xff", b"[" * 100_000])
def test_a_body_that_is_no_json_is_a_bad_answer(body):
    with pytest.raises(switchboard.BadAnswer):
        Answer(200, {}, body).json()


def test_an_object_was_promised():
    assert Answer(200, {}, b" ").json() is None
    with pytest.raises(switchboard.BadAnswer, match="list where an object was promised"):
        Answer(200, {}, b"[]").mapping()
