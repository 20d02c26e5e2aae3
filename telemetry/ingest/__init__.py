"""The hot paths, as plain ASGI functions mounted before Django."""

from telemetry.ingest.calls import calls_app
from telemetry.ingest.otlp import traces_app
from telemetry.ingest.shared import writing

__all__ = ["calls_app", "traces_app", "writing"]
