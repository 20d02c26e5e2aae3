"""The HTTP API of telemetry, as Django REST Framework sees it."""

from telemetry.api.breakers import BreakerCommands, CommandAck, Commands, Events, Instance
from telemetry.api.calls import Call, Calls
from telemetry.api.schema import Schema

__all__ = ["BreakerCommands", "Call", "Calls", "CommandAck", "Commands", "Events", "Instance", "Schema"]
