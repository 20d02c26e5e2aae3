"""What the SDK's tests share: a loud SDK, a console in memory, a console on a port."""

import sys
import threading
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "support"))

from double import Double  # found by the line above

import switchboard
from switchboard.testing import FakeConsole, forget, loud


@pytest.fixture(autouse=True)
def _loud_and_fresh(monkeypatch, tmp_path):
    """Our own faults come out in our own tests, every line of the log is said again, nothing is kept outside."""
    monkeypatch.setenv("SWITCHBOARD_SPOOL", str(tmp_path / "spool"))
    monkeypatch.delenv("SWITCHBOARD_URL", raising=False)
    monkeypatch.delenv("SWITCHBOARD_KEY", raising=False)
    forget()
    with loud():
        yield


@pytest.fixture
def console():
    return FakeConsole()


@pytest.fixture
def server():
    double = Double().start()
    yield double
    double.stop()


@pytest.fixture
def connect(server):
    """Make clients of the server; each is closed at the end."""
    made = []

    def make(**settings):
        client = switchboard.Client(server.url, server.key, **{"timeout_s": 5.0, **settings})
        made.append(client)
        return client

    yield make
    for client in made:
        client.close(0.5)


@pytest.fixture
def until():
    """Wait for something that another thread does, and fail loudly when it does not."""

    def wait(what, seconds=10.0):
        end = time.monotonic() + seconds
        while not what():
            assert time.monotonic() < end, "it never happened"
            threading.Event().wait(0.005)

    return wait


@pytest.fixture
def proposal():
    """A plan of one write."""
    step = switchboard.wire.PlannedStep(
        id="refund", tool="refund", args={"amount": 100}, idempotency_key="k-1"
    )
    return switchboard.wire.Proposal(id="p1", kind="compensate", title="Give it back", steps=[step])


@pytest.fixture
def task(proposal):
    """What every case here says."""
    return {
        "title": "Refund",
        "goal": "Be fair",
        "trigger": "requested",
        "trace_id": "t1",
        "proposals": [proposal],
    }
