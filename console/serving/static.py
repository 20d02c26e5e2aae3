"""Static files straight from ASGI: WhiteNoise's table of files, without Django's chain around it."""

import asyncio
from pathlib import Path
from typing import Any

from django.conf import settings
from whitenoise.middleware import WhiteNoiseMiddleware

from console.kit.asgi import Receive, Scope, Send, answer

WANTED = {b"accept-encoding": "HTTP_ACCEPT_ENCODING", b"if-none-match": "HTTP_IF_NONE_MATCH",
          b"if-modified-since": "HTTP_IF_MODIFIED_SINCE", b"range": "HTTP_RANGE"}  # fmt: skip
SAFE = {"x-content-type-options": "nosniff"}


class StaticFiles:
    """Answers every path under STATIC_URL from the files that collectstatic made."""

    def __init__(self) -> None:
        Path(settings.STATIC_ROOT).mkdir(parents=True, exist_ok=True)
        self._known: dict[str, Any] = WhiteNoiseMiddleware(lambda _request: None).files

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002  # ASGI's signature
        """Answer one request for a file."""
        file = self._known.get(scope["path"])
        if file is None:
            await answer(send, 404, b"Not found", content_type=b"text/plain")
            return
        asked = {WANTED[name]: value.decode("latin-1") for name, value in scope["headers"] if name in WANTED}
        response = await asyncio.to_thread(file.get_response, scope["method"], asked)
        headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in response.headers]
        headers += [(name.encode(), value.encode()) for name, value in SAFE.items()]
        await send({"type": "http.response.start", "status": int(response.status), "headers": headers})
        await send({"type": "http.response.body", "body": await asyncio.to_thread(_whole, response.file)})


def _whole(file: Any) -> bytes:
    if file is None:
        return b""
    with file:
        return bytes(file.read())
