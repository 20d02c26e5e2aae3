"""The process that takes reports says so to its collector and allocator."""

import asyncio
import ctypes
import gc

import pytest

from telemetry.ingest import lean
from telemetry.ingest.lean import GC_AFTER, give_back, keep_lean


@pytest.fixture
def _as_before():
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


@pytest.mark.usefixtures("_as_before")
def test_what_was_loaded_at_the_start_is_not_looked_through_for_every_report():
    keep_lean()
    assert gc.get_threshold()[0] == GC_AFTER
    assert gc.get_freeze_count() > 0


async def test_what_is_free_is_given_back_again_and_again(monkeypatch):
    trimmed = asyncio.Queue()
    loop = asyncio.get_running_loop()

    class Library:
        def __init__(self, _):
            pass

        def malloc_trim(self, left):
            loop.call_soon_threadsafe(trimmed.put_nowait, left)

    monkeypatch.setattr(lean, "TRIM_EVERY_S", 0.001)
    monkeypatch.setattr(ctypes, "CDLL", Library)
    giving = asyncio.create_task(give_back())
    assert [await asyncio.wait_for(trimmed.get(), 10) for _ in range(2)] == [0, 0]
    giving.cancel()
