"""A console over real HTTP and a real websocket, for what only a network can do: break, refuse, and come back."""

import asyncio
import json
import threading
from collections import deque
from datetime import UTC, datetime

import uvicorn

from switchboard._transport import Answer, Request
from switchboard.testing._routes import Routes


class Double(Routes):
    """Runs in a thread. `stop` and `start` again is a restart on the same port with the same memory."""

    def __init__(self, *, key="sb_testtest_secret"):
        super().__init__()
        self.key = key
        self.port = 0
        self.refuse_sockets = None
        self.mute_sockets = False
        self.slow_s = 0.0
        self.planned = deque()
        self.subscribed = []
        self.opened_sockets = 0
        self._sockets = set()
        self._server = None

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        config = uvicorn.Config(
            self, host="127.0.0.1", port=self.port, log_level="critical", lifespan="off", ws="websockets-sansio",
            timeout_graceful_shutdown=0,
        )  # fmt: skip
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        while not self._server.started:
            threading.Event().wait(0.005)
        self.port = self._server.servers[0].sockets[0].getsockname()[1]
        return self

    def stop(self):
        if self._server is not None:
            self._server.force_exit = True
            self._server.should_exit = True
            self._thread.join(10)
            self._server = None

    def plan(self, status, body=b"", *, headers=None, times=1, path="/"):
        """Answer the next `times` requests under `path` like this."""
        self.planned.extend([(path, Answer(status, dict(headers or {}), body))] * times)

    def drop_sockets(self):
        """Break every open socket, as a proxy or a cable would."""
        for socket in tuple(self._sockets):
            socket.break_soon()

    def now(self):
        return datetime(2030, 1, 1, 9, tzinfo=UTC)

    def decide(self, case, action="approve", **more):
        case = self.book.find(case)
        given = {
            "by": "Operator",
            "at": self.now(),
            "proposal_id": None,
            "steps": (),
            "answer": None,
            "message": "",
        }
        row = self.book.decide(case, action=action, **(given | more))
        self.push(row)
        return row

    def push(self, row):
        for socket in tuple(self._sockets):
            if row["escalation_id"] in socket.ids:
                socket.send_soon({"type": "decision", **row})

    async def __call__(self, scope, receive, send):
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        else:
            await _Socket(self, scope, receive, send).serve()

    async def _http(self, scope, receive, send):
        body, more = b"", True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        query = scope["query_string"].decode()
        path = scope["path"] + (f"?{query}" if query else "")
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        await asyncio.sleep(self.slow_s)
        answer = await self._said(Request(scope["method"], path, body, headers))
        raw = [(name.encode(), value.encode()) for name, value in answer.headers.items()]
        await send({"type": "http.response.start", "status": answer.status, "headers": raw})
        await send({"type": "http.response.body", "body": answer.body})

    async def _said(self, request):
        for planned in tuple(self.planned):
            if request.path.startswith(planned[0]):
                self.planned.remove(planned)
                self.requests.append(request)
                return planned[1]
        if request.headers.get("authorization") != f"Bearer {self.key}":
            return Answer(401, {}, json.dumps({"code": "UNAUTHORIZED", "detail": "Unknown key."}).encode())
        answer = self.answer(request)
        waits = 200 if "/decision?wait=25" in request.path else 0
        while answer.status == 204 and waits and self._server and not self._server.should_exit:
            await asyncio.sleep(0.02)
            self.requests.pop()
            answer, waits = self.answer(request), waits - 1
        return answer


class _Socket:
    def __init__(self, console, scope, receive, send):
        self.console, self.scope, self.receive, self.send = console, scope, receive, send
        self.ids = set()
        self.loop = asyncio.get_running_loop()
        self.broken = asyncio.Event()

    def send_soon(self, message):
        if not self.console.mute_sockets:
            asyncio.run_coroutine_threadsafe(self._send(message), self.loop)

    def break_soon(self):
        self.loop.call_soon_threadsafe(self.broken.set)

    async def _send(self, message):
        await self.send({"type": "websocket.send", "text": json.dumps(message)})

    async def serve(self):
        await self.receive()
        if self.console.refuse_sockets:
            await self.send(
                {
                    "type": "websocket.http.response.start",
                    "status": self.console.refuse_sockets,
                    "headers": [],
                }
            )
            await self.send({"type": "websocket.http.response.body", "body": b""})
            return
        await self.send({"type": "websocket.accept"})
        self.console.opened_sockets += 1
        self.console._sockets.add(self)
        try:
            await self._send({"type": "hello", "server_time": "2030-01-01T09:00:00+00:00"})
            await self._talk()
        finally:
            self.console._sockets.discard(self)

    async def _talk(self):
        while True:
            receiving, breaking = (
                asyncio.ensure_future(self.receive()),
                asyncio.ensure_future(self.broken.wait()),
            )
            done, _ = await asyncio.wait({receiving, breaking}, return_when=asyncio.FIRST_COMPLETED)
            if breaking in done:
                receiving.cancel()
                await self.send({"type": "websocket.close", "code": 1012})
                return
            breaking.cancel()
            message = receiving.result()
            if message["type"] == "websocket.disconnect":
                return
            said = json.loads(message["text"])
            if said["type"] == "subscribe":
                await self._subscribed(said["escalation_ids"])

    async def _subscribed(self, ids):
        self.console.subscribed.append(ids)
        self.ids |= set(ids)
        for row in self.console.book.unacknowledged(ids):
            if not self.console.mute_sockets:
                await self._send({"type": "decision", **row})
