"""The same calls as the pages of telemetry."""

from tests.telemetry.pages.conftest import report, signed_in

__all__ = ["report", "signed_in"]
