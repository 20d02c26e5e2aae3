"""The rows of telemetry."""

from telemetry.models.agents import Agent, AgentKey
from telemetry.models.breakers import (
    Breaker,
    BreakerAck,
    BreakerCommand,
    BreakerEvent,
    BreakerInstance,
    BreakerPart,
    BreakerTransition,
)
from telemetry.models.calls import Call, CallKey, Series, SpanContext, Tool
from telemetry.models.causes import Backfill, Fingerprint, FingerprintRule
from telemetry.models.counters import Ledger, Rollup, Sketch, Uncounted
from telemetry.models.spikes import Marker, Mute, Spike, Watch, WatchClock

__all__ = [
    "Agent",
    "AgentKey",
    "Backfill",
    "Breaker",
    "BreakerAck",
    "BreakerCommand",
    "BreakerEvent",
    "BreakerInstance",
    "BreakerPart",
    "BreakerTransition",
    "Call",
    "CallKey",
    "Fingerprint",
    "FingerprintRule",
    "Ledger",
    "Marker",
    "Mute",
    "Rollup",
    "Series",
    "Sketch",
    "SpanContext",
    "Spike",
    "Tool",
    "Uncounted",
    "Watch",
    "WatchClock",
]
