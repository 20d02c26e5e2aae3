"""A console in memory, a clock that moves when told to, and a toolbox on both."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

from switchboard import Toolbox
from switchboard.testing import FakeClock, FakeConsole

settings.register_profile("unhurried", deadline=None)  # a busy machine is no failure
settings.load_profile("unhurried")


@pytest.fixture
def console() -> FakeConsole:
    return FakeConsole()


@pytest.fixture
def clock(console: FakeConsole) -> FakeClock:
    return console.clock


@pytest.fixture
def box(console: FakeConsole) -> Iterator[Toolbox]:
    with Toolbox(console.client(), clock=console.clock) as toolbox:
        yield toolbox
