"""The HTTP API of telemetry, as Django REST Framework sees it."""

from telemetry.api.breakers import BreakerCommands, CommandAck, Commands, Events, Instance
from telemetry.api.calls import Call, Calls
from telemetry.api.deploys import Deploys
from telemetry.api.metrics import metrics
from telemetry.api.schema import Schema
from telemetry.api.searches import CallsExport
from telemetry.api.traces import Traces
from telemetry.api.words import (
    CauseRule,
    CauseRules,
    Label,
    Mute,
    Mutes,
    NotFound,
    SpikeAcknowledgement,
    Spikes,
)

__all__ = [
    "BreakerCommands",
    "Call",
    "Calls",
    "CallsExport",
    "CauseRule",
    "CauseRules",
    "CommandAck",
    "Commands",
    "Deploys",
    "Events",
    "Instance",
    "Label",
    "Mute",
    "Mutes",
    "NotFound",
    "Schema",
    "SpikeAcknowledgement",
    "Spikes",
    "Traces",
    "metrics",
]
