"""A console in memory, a clock that moves when told to, and a toolbox on both."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from breaking import QUICK  # the helpers of ../support, found by the conftest above
from desk import Desk
from hypothesis import settings
from travel import Travel

from switchboard import Toolbox
from switchboard.breaker import Breaker
from switchboard.testing import FakeClock, FakeConsole
from switchboard.wire import BreakerEvent

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


@pytest.fixture
def events() -> list[BreakerEvent]:
    return []


@pytest.fixture
def breaker(clock: FakeClock, events: list[BreakerEvent]) -> Breaker:
    return Breaker("api", QUICK, clock=clock, listener=events.append)


@pytest.fixture
def travel(box: Toolbox) -> Travel:
    return Travel(box)


@pytest.fixture
def desk(box: Toolbox) -> Desk:
    return Desk(box)


@pytest.fixture
def quick_folder() -> Iterator[Path]:
    """A folder in memory where there is one: whoever only plays dead does not need the disk's word."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder)
