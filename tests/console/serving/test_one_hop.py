import asyncio
import threading

import pytest
from asgiref.sync import sync_to_async
from django.http import HttpResponse, StreamingHttpResponse
from django.urls import path

from console.serving.one_hop import OneHopASGIHandler

threads: list[str] = []
seen = threading.Event()
go_on = threading.Event()


def where(request):
    threads.append(threading.current_thread().name)
    return HttpResponse(request.body)


def parts(request):
    return StreamingHttpResponse(threading.current_thread().name.encode() for _ in range(3))


def held(request):
    seen.set()
    go_on.wait(10)
    return HttpResponse(b"done")


def broken(request):
    raise ZeroDivisionError


class Middleware:
    sync_capable = async_capable = True

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        threads.append(threading.current_thread().name)
        return self.get_response(request)


urlpatterns = [path("where", where), path("parts", parts), path("held", held), path("broken", broken)]


@pytest.fixture
def handler(settings):
    settings.ROOT_URLCONF = __name__
    settings.ALLOWED_HOSTS = ["*"]
    settings.MIDDLEWARE = [f"{__name__}.Middleware"] * 3
    threads.clear()
    seen.clear()
    go_on.clear()
    return OneHopASGIHandler(threads=2, body_limit=100)


class Client:
    """One request over plain ASGI, its body in the pieces given; `leave` is the client going away."""

    def __init__(self, handler, target, *pieces):
        self.sent = []
        self.leave = asyncio.Event()
        self._pieces = [*pieces] or [b""]
        scope = {
            "type": "http", "http_version": "1.1", "method": "POST" if pieces else "GET", "path": target,
            "query_string": b"", "headers": [(b"host", b"x")], "root_path": "", "scheme": "http",
            "server": ("x", 80), "client": ("y", 1),
        }  # fmt: skip
        self.answer = asyncio.ensure_future(handler(scope, self._receive, self._send))

    async def _receive(self):
        if self._pieces:
            piece = self._pieces.pop(0)
            if piece is None:
                return {"type": "http.disconnect"}
            return {"type": "http.request", "body": piece, "more_body": bool(self._pieces)}
        await self.leave.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message):
        self.sent.append(message)

    @property
    def status(self):
        return self.sent[0]["status"]

    @property
    def body(self):
        return b"".join(message.get("body", b"") for message in self.sent[1:])


async def test_middleware_and_view_run_in_one_long_lived_thread(handler):
    client = Client(handler, "/where", b"a", b"b")
    await client.answer
    assert (client.status, client.body) == (200, b"ab")
    assert len(threads) == 4
    assert len(set(threads)) == 1
    assert threads[0].startswith("django-")


async def test_threads_live_on_from_request_to_request(handler):
    for _ in range(8):
        await Client(handler, "/where").answer
    assert len(set(threads)) <= 2


async def test_a_streamed_answer_is_walked_in_the_thread_and_not_on_the_loop(handler):
    client = Client(handler, "/parts")
    await client.answer
    assert client.body.startswith(b"django-")
    assert client.body.count(b"django-") == 3


async def test_a_body_over_the_limit_is_refused_in_the_shape_of_every_refusal(handler):
    client = Client(handler, "/where", b"x" * 60, b"x" * 60, b"x" * 60)
    await client.answer
    assert client.status == 413
    assert b'"code":"TOO_LARGE"' in client.body
    assert threads == []


async def test_slow_uploads_hold_no_thread(handler, monkeypatch):
    stuck = [asyncio.ensure_future(handler({"type": "http"}, asyncio.Event().wait, None)) for _ in range(5)]
    await asyncio.sleep(0)
    client = Client(handler, "/where")
    await client.answer
    assert client.status == 200
    for waiting in stuck:
        waiting.cancel()


async def test_a_body_that_does_not_arrive_is_given_up(handler, monkeypatch):
    monkeypatch.setattr("console.serving.one_hop.BODY_WITHIN_S", 0.01)
    sent = []

    async def send(message):
        sent.append(message)

    await handler({"type": "http"}, asyncio.Event().wait, send)
    assert sent[0]["status"] == 408


async def test_a_client_that_leaves_before_its_body_is_complete_is_not_answered(handler):
    client = Client(handler, "/where", b"a", None)
    await client.answer
    assert client.sent == []
    assert threads == []


async def test_a_client_that_leaves_during_the_view_gives_its_thread_back_when_the_view_has_ended(handler):
    client = Client(handler, "/held")
    await sync_to_async(seen.wait, thread_sensitive=False)(10)
    client.leave.set()
    go_on.set()
    await client.answer
    others = [Client(handler, "/where") for _ in range(4)]
    await asyncio.gather(*(other.answer for other in others))
    assert [other.status for other in others] == [200] * 4


async def test_more_requests_than_threads_wait_their_turn(handler):
    clients = [Client(handler, "/where") for _ in range(10)]
    await asyncio.gather(*(client.answer for client in clients))
    assert [client.status for client in clients] == [200] * 10
    assert len(set(threads)) == 2


async def test_a_view_that_breaks_is_a_500_and_gives_its_thread_back(handler, settings):
    settings.DEBUG_PROPAGATE_EXCEPTIONS = False
    for _ in range(3):
        client = Client(handler, "/broken")
        await client.answer
        assert client.status == 500
    client = Client(handler, "/where")
    await client.answer
    assert client.status == 200
