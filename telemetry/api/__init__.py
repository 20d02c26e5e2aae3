"""The HTTP API of telemetry, as Django REST Framework sees it."""

from telemetry.api.breakers import BreakerCommands, CommandAck, Commands, Events, Instance
from telemetry.api.calls import Call, Calls
from telemetry.api.deploys import Deploys
from telemetry.api.metrics import metrics
from telemetry.api.schema import Schema
from telemetry.api.searches import CallsExport
from telemetry.api.traces import Traces

__all__ = [
    "BreakerCommands",
    "Call",
    "Calls",
    "CallsExport",
    "CommandAck",
    "Commands",
    "Deploys",
    "Events",
    "Instance",
    "Schema",
    "Traces",
    "metrics",
]
