"""A console in memory, a clock that moves when told to, and a toolbox on both."""

from collections.abc import Iterator

import pytest

from switchboard import Toolbox
from switchboard.testing import FakeClock, FakeConsole


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
