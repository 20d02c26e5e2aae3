"""How bytes reach the console. The HTTP library behind it is an implementation detail that nobody sees."""

import asyncio
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from switchboard._errors import BadAnswer


@dataclass(frozen=True, slots=True)
class Request:
    """One HTTP request to the console; `path` begins with a slash and carries the query."""

    method: str
    path: str
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. Header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """Give the body as a value, None for an empty one; raise BadAnswer for what is no JSON."""
        if not self.body.strip():
            return None
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError) as exc:
            raise BadAnswer(f"HTTP {self.status} came with a body that is no JSON.") from exc

    def mapping(self) -> dict[str, Any]:
        """Give the body as an object; raise BadAnswer for anything else."""
        value = self.json()
        if not isinstance(value, dict):
            raise BadAnswer(
                f"HTTP {self.status} came with {type(value).__name__} where an object was promised."
            )
        return value


class NoAnswer(OSError):
    """Nothing came back: no connection, a broken one, or no reply in time."""


class Transport(Protocol):
    """One try of one request. Raises NoAnswer; every other outcome is an Answer."""

    async def send(self, request: Request, *, timeout_s: float) -> Answer: ...

    async def close(self) -> None: ...


class Socket(Protocol):
    """An open agent socket. Both raise NoAnswer once it is broken."""

    async def send(self, text: str) -> None: ...

    async def receive(self) -> str: ...

    async def close(self) -> None: ...


class Dial(Protocol):
    """Opens the agent socket, once. Raises NoAnswer, or SocketRefused with the HTTP status."""

    async def __call__(self) -> Socket: ...


class SocketRefused(NoAnswer):
    """The console answered the socket's handshake with an HTTP status."""

    def __init__(self, status: int) -> None:
        super().__init__(f"The agent socket was refused with HTTP {status}.")
        self.status = status


class HttpTransport:
    """httpx2 inside; one connection pool for one event loop."""

    def __init__(self, *, url: str, key: str, agent: str) -> None:
        import httpx2  # noqa: PLC0415  # 0.17 s that a program which only defines tools need not pay

        self._httpx = httpx2
        self._url = re.sub("//[^/@]*@", "//", url)  # it is said in errors
        self._client = httpx2.AsyncClient(
            base_url=url,
            headers={"authorization": f"Bearer {key}", "accept": "application/json", "user-agent": agent},
            limits=httpx2.Limits(max_connections=40, max_keepalive_connections=10, keepalive_expiry=15.0),
            follow_redirects=False,
        )

    async def send(self, request: Request, *, timeout_s: float) -> Answer:
        headers = dict(request.headers)
        if request.body is not None:
            headers.setdefault("content-type", "application/json")
        try:
            # httpx counts each read by itself; the whole exchange is what must not take longer.
            async with asyncio.timeout(timeout_s):
                response = await self._client.request(
                    request.method, request.path, content=request.body, headers=headers, timeout=timeout_s
                )
        except TimeoutError as exc:
            raise NoAnswer(f"{self._url}: no answer within {timeout_s:g} s") from exc
        except (self._httpx.HTTPError, self._httpx.InvalidURL, OSError) as exc:
            raise NoAnswer(f"{self._url}: {type(exc).__name__}: {exc}") from exc
        lower = {name.lower(): value for name, value in response.headers.items()}
        return Answer(response.status_code, lower, response.content)

    async def close(self) -> None:
        await self._client.aclose()


class WebSocketDial:
    """websockets inside; one try, no reconnecting of its own."""

    MOST_BYTES = 16 * 1024 * 1024  # a decision carries the final steps with all their arguments

    def __init__(self, *, url: str, key: str, agent: str, timeout_s: float) -> None:
        self._url = url
        self._headers = {"authorization": f"Bearer {key}"}
        self._agent = agent
        self._timeout_s = timeout_s

    async def __call__(self) -> "OpenSocket":
        from websockets.asyncio.client import connect  # noqa: PLC0415  # only who waits pays for it
        from websockets.exceptions import InvalidStatus, WebSocketException  # noqa: PLC0415

        try:
            connection = await connect(
                self._url,
                additional_headers=self._headers,
                user_agent_header=self._agent,
                open_timeout=self._timeout_s,
                close_timeout=1.0,
                ping_interval=15.0,
                ping_timeout=15.0,
                max_size=self.MOST_BYTES,
                max_queue=256,
            )
        except InvalidStatus as exc:
            raise SocketRefused(exc.response.status_code) from exc
        except (WebSocketException, OSError, TimeoutError, EOFError) as exc:
            raise NoAnswer(f"{type(exc).__name__}: {exc}") from exc
        return OpenSocket(connection)


class OpenSocket:
    """One websocket connection, with one kind of failure."""

    def __init__(self, connection: Any) -> None:
        from websockets.exceptions import ConnectionClosed  # noqa: PLC0415  # loaded by whoever made the connection

        self._connection = connection
        self._closed = ConnectionClosed

    async def send(self, text: str) -> None:
        try:
            await self._connection.send(text)
        except (self._closed, OSError) as exc:
            raise NoAnswer(f"The agent socket is closed: {exc}") from exc

    async def receive(self) -> str:
        try:
            message = await self._connection.recv()
        except (self._closed, OSError) as exc:
            raise NoAnswer(f"The agent socket is closed: {exc}") from exc
        return message if isinstance(message, str) else message.decode("utf-8", "replace")

    async def close(self) -> None:
        await self._connection.close()
