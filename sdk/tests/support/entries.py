"""Calls as a journal writes them down."""

from dataclasses import replace
from typing import Any

from switchboard.journal import Entry, State
from switchboard.testing import FakeClock
from switchboard.vocabulary import Effect


def entry(clock: FakeClock, name: str = "c1", effect: Effect = Effect.WRITE, **more: Any) -> Entry:
    made = Entry(
        name, f"id-{name}", "pay", "1", effect, f"key-{name}", "f", {"a": 1}, State.STARTED, clock.now()
    )
    return replace(made, **more)
