"""What answers before Django, and what lives as long as the server."""

from console.kit.asgi import Lifetime, Mount
from telemetry.ingest import calls_app, writing

http_mounts: list[Mount] = [Mount("/api/v1/calls", calls_app, frozenset({"POST"}))]
lifetimes: list[Lifetime] = [writing]
