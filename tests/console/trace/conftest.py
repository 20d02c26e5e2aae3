"""The same calls as the pages of telemetry."""

from tests.telemetry.conftest import as_agent
from tests.telemetry.pages.conftest import report, signed_in

__all__ = ["as_agent", "report", "signed_in"]
