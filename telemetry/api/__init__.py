"""The HTTP API of telemetry, as Django REST Framework sees it."""

from telemetry.api.calls import Call, Calls
from telemetry.api.schema import Schema

__all__ = ["Call", "Calls", "Schema"]
