"""The one ASGI application: HTTP through Django with some paths before it, sockets, and the server's lifetime."""

import os
from importlib import import_module
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

import django

django.setup()  # loads the apps before anything below imports a model

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.urls import URLPattern, re_path

from console.agent_socket import routing as agents
from console.kit.asgi import Message, Mount, Mounts, Receive, Scope, Send
from console.live import routing as people
from console.serving.health import Check, Ready, addresses, database, healthz, messages
from console.serving.lifespan import Embedded, Lifespan, bound_layer, warmed
from console.serving.one_hop import OneHopASGIHandler
from console.serving.static import StaticFiles
from escalations import routing as decisions
from telemetry import routing as facts

GET = frozenset({"GET", "HEAD"})


def guarded(pattern: URLPattern) -> URLPattern:
    """Put origin check and session in front of a browser's socket; an agent's socket carries a key instead."""
    return URLPattern(pattern.pattern, AllowedHostsOriginValidator(AuthMiddlewareStack(pattern.callback)))


async def no_such_socket(scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG001  # ASGI's signature
    """Close a socket at an address that has none."""
    message: Message = await receive()
    if message["type"] == "websocket.connect":
        await send({"type": "websocket.close", "code": 4404})


def celery() -> Any:
    """Load the tasks; slow, so the thread that runs them does it while the first requests are answered."""
    return import_module("console.celery").app


embedded = Embedded(celery)
sockets: list[Any] = [  # the stubs know patterns of views only
    *agents.websocket_urlpatterns,
    *[guarded(pattern) for pattern in people.websocket_urlpatterns],
    re_path("", no_such_socket),  # type: ignore[arg-type]  # the same
]
parts: dict[str, Check] = {
    "database": database,
    "messages": messages,
    "addresses": addresses,
    "tasks": embedded.check,
}
mounts = [
    *facts.http_mounts,
    *decisions.http_mounts,
    Mount(r"/static/.*", StaticFiles(), GET),
    Mount("/healthz", healthz, GET),
    Mount("/readyz", Ready(parts), GET),
]
lifetimes = [
    bound_layer,
    embedded.running,
    warmed,
    *facts.lifetimes,
    *decisions.lifetimes,
]

application = ProtocolTypeRouter(
    {
        "http": Mounts(mounts, behind=OneHopASGIHandler()),
        "websocket": URLRouter(sockets),
        "lifespan": Lifespan(lifetimes),
    }
)
