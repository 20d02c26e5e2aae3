"""What answers before Django, and what lives as long as the server."""

from console.kit.asgi import Lifetime, Mount
from telemetry.consumers import commands_poll, waits
from telemetry.ingest import calls_app, traces_app, writing

http_mounts: list[Mount] = [
    Mount("/api/v1/calls", calls_app, frozenset({"POST"})),
    Mount("/v1/traces", traces_app, frozenset({"POST"})),
    Mount("/api/v1/breakers/commands", commands_poll, frozenset({"GET"}), when=waits),
]
lifetimes: list[Lifetime] = [writing]
