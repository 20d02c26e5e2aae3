"""The one ASGI application: HTTP through Django with some paths before it, sockets, and the server's lifetime."""

import os
from importlib import import_module
from importlib.util import find_spec
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

import django

django.setup()  # loads the apps before anything below imports a model

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.urls import URLPattern, re_path

from console.celery import app as celery
from console.kit.asgi import Message, Mount, Mounts, Receive, Scope, Send
from console.serving.health import Ready, database, healthz, messages
from console.serving.lifespan import Embedded, Lifespan, bound_layer
from console.serving.one_hop import OneHopASGIHandler
from console.serving.static import StaticFiles

GET = frozenset({"GET", "HEAD"})


def of(module: str, name: str) -> list[Any]:
    """Give a table of a room, empty while the room is not built."""
    built = find_spec(module.rpartition(".")[0]) and find_spec(module)
    return list(getattr(import_module(module), name, ())) if built else []


def guarded(pattern: URLPattern) -> URLPattern:
    """Put origin check and session in front of a browser's socket; an agent's socket carries a key instead."""
    return URLPattern(pattern.pattern, AllowedHostsOriginValidator(AuthMiddlewareStack(pattern.callback)))


async def no_such_socket(scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG001  # ASGI's signature
    """Close a socket at an address that has none."""
    message: Message = await receive()
    if message["type"] == "websocket.connect":
        await send({"type": "websocket.close", "code": 4404})


embedded = Embedded(celery)
sockets = [
    *of("console.agent_socket.routing", "websocket_urlpatterns"),
    *[guarded(pattern) for pattern in of("console.live.routing", "websocket_urlpatterns")],
    re_path("", no_such_socket),  # type: ignore[arg-type]  # Django's stubs know views only
]
mounts = [
    *of("telemetry.routing", "http_mounts"),
    *of("escalations.routing", "http_mounts"),
    Mount(r"/static/.*", StaticFiles(), GET),
    Mount("/healthz", healthz, GET),
    Mount("/readyz", Ready({"database": database, "messages": messages, "tasks": embedded.check}), GET),
]
lifetimes = [
    bound_layer,
    embedded.running,
    *of("telemetry.routing", "lifetimes"),
    *of("escalations.routing", "lifetimes"),
]

application = ProtocolTypeRouter(
    {
        "http": Mounts(mounts, behind=OneHopASGIHandler()),
        "websocket": URLRouter(sockets),
        "lifespan": Lifespan(lifetimes),
    }
)
