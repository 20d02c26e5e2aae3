"""What an agent's own test suite needs: a console in memory, and a clock that moves when it is told to."""

from switchboard._quiet import forget, loud
from switchboard.testing._book import FakeCase
from switchboard.testing._clock import FakeClock
from switchboard.testing._console import FakeConsole

__all__ = ["FakeCase", "FakeClock", "FakeConsole", "forget", "loud"]
