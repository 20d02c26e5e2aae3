"""Plain ASGI: its types, and a table of applications that answer some paths before Django is asked."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any

Message = Mapping[str, Any]
Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
NO_SNIFFING = (b"x-content-type-options", b"nosniff")
Lifetime = Callable[[], AbstractAsyncContextManager[object]]


@dataclass(frozen=True)
class Mount:
    """An ASGI application for the paths that match `path` as a whole, asked with one of `methods`.

    Its named groups arrive as `scope["path_params"]`. `when` may leave some requests to Django by looking at the
    scope: a plain GET of a long-poll address, for example.
    """

    path: str
    app: Application
    methods: frozenset[str]
    when: Callable[[Scope], bool] = field(default=lambda _scope: True)


class Mounts:
    """An ASGI application: the first mount that matches answers, otherwise the one behind."""

    def __init__(self, mounts: Sequence[Mount], behind: Application) -> None:
        self._mounts = [(re.compile(mount.path), mount) for mount in mounts]
        self._behind = behind

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request to whoever answers its path."""
        for pattern, mount in self._mounts:
            if (
                scope["method"] in mount.methods
                and (found := pattern.fullmatch(scope["path"]))
                and mount.when(scope)
            ):
                await mount.app({**scope, "path_params": found.groupdict()}, receive, send)
                return
        await self._behind(scope, receive, send)


async def answer(
    send: Send,
    status: int,
    body: bytes,
    *,
    content_type: bytes = b"application/json",
    headers: dict[str, str] | None = None,
) -> None:
    """Send one whole response."""
    lines = [(b"content-type", content_type), (b"content-length", str(len(body)).encode()), NO_SNIFFING]
    lines += [(name.lower().encode(), value.encode()) for name, value in (headers or {}).items()]
    await send({"type": "http.response.start", "status": status, "headers": lines})
    await send({"type": "http.response.body", "body": body})
