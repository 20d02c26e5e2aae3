"""The process that takes reports says so to its collector and allocator."""

import gc

import pytest

from telemetry.ingest.lean import GC_AFTER, keep_lean


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
