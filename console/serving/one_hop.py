"""Django over ASGI at a third of the cost: one thread hop for the whole chain, in threads that live on.

Django's own handler starts short-lived threads for every request and hops to a thread and back in every sync
middleware. Here the whole chain is sync and runs in one long-lived thread, so database connections live on too.
"""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import IO

import orjson
from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.conf import settings
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase, StreamingHttpResponse

from console.kit.asgi import Message, Receive, Scope, Send, answer
from console.kit.bodies import BODY_WITHIN_S, too_slow
from console.kit.http import STATUS, headers_of

TOO_LARGE = b'{"code":"TOO_LARGE","detail":"The request body is larger than this console takes.","errors":[]}'


class BodyTooLarge(Exception):
    """The body outgrew the limit; the rest of it was not read."""


class Arrived:
    """A receive channel whose request body is here already; what it still gives is the client's leaving."""

    def __init__(self, body: IO[bytes], receive: Receive) -> None:
        self.body = body
        self._receive = receive

    async def __call__(self) -> Message:
        """Give the next message after the body."""
        return await self._receive()


class OneHopASGIHandler(ASGIHandler):
    """Takes a thread from a fixed set for each request, once its body has arrived; slow uploads hold none."""

    def __init__(self, threads: int = 16, *, body_limit: int | None = None) -> None:
        super().__init__()
        self._limit = settings.MAX_BODY_BYTES if body_limit is None else body_limit
        self._free = [ThreadPoolExecutor(1, f"django-{number}") for number in range(threads)]
        self._slots = asyncio.Semaphore(threads)

    def load_middleware(self, is_async: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002  # Django's signature
        """Build the whole chain sync, so that nothing in it hops."""
        super().load_middleware(is_async=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        try:
            body = await asyncio.wait_for(self._read(receive), BODY_WITHIN_S)
        except RequestAborted:
            return
        except BodyTooLarge:
            await answer(send, 413, TOO_LARGE, headers={"connection": "close"})
            return
        except TimeoutError:
            no = too_slow()
            await answer(send, STATUS[no.kind], orjson.dumps(no.document()), headers=headers_of(no))
            return
        async with self._slots:
            thread = self._free.pop()
            try:
                async with ThreadSensitiveContext(executor=thread):
                    await self.handle(scope, Arrived(body, receive), send)
            finally:
                self._free.append(thread)

    async def run_get_response(self, request: HttpRequest) -> HttpResponseBase:
        """Run middleware and view in the request's thread."""
        response = await sync_to_async(self.get_response, thread_sensitive=True)(request)
        response._handler_class = self.__class__  # type: ignore[attr-defined]  # noqa: SLF001  # as Django's own handler does
        if isinstance(response, StreamingHttpResponse) and not response.is_async:
            response.streaming_content = in_thread(iter(response))
        return response

    async def read_body(self, receive: Receive) -> IO[bytes]:
        """Give the body that has arrived."""
        return receive.body if isinstance(receive, Arrived) else await self._read(receive)

    async def _read(self, receive: Receive) -> IO[bytes]:
        limit = settings.FILE_UPLOAD_MAX_MEMORY_SIZE
        body = tempfile.SpooledTemporaryFile(max_size=limit, mode="w+b")  # noqa: SIM115  # Django closes it
        try:
            await self._fill(body, receive)
        except BaseException:
            body.close()
            raise
        body.seek(0)
        return body

    async def _fill(self, body: IO[bytes], receive: Receive) -> None:
        size, more = 0, True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise RequestAborted
            part = message.get("body", b"")
            size += len(part)
            if size > self._limit:
                raise BodyTooLarge
            body.write(part)
            more = message.get("more_body", False)


async def in_thread(parts: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Walk a sync iterator part by part in the request's thread, so that a long answer never blocks the loop."""
    following = sync_to_async(lambda: next(parts, None), thread_sensitive=True)
    while (part := await following()) is not None:
        yield part
