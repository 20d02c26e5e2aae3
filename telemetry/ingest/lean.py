"""Memory kept small in a process of many threads and of bodies that are long for a moment."""

import asyncio
import ctypes
import gc

ARENA_MAX, MMAP_THRESHOLD, TRIM_THRESHOLD = -8, -3, -1  # glibc's names for mallopt
ARENAS = 2  # else every thread keeps one, with whatever it once needed in it
LONG = 128 * 1024  # bytes: what is longer goes back to the system when it is freed
SPARE = 1024 * 1024  # bytes that stay for the next request; `give_back` takes these too
TRIM_EVERY_S = 30.0
GC_AFTER = 20_000  # allocations; Python's own 700 costs a fifth of parsing


def keep_lean() -> None:
    """Tell the allocator and the collector of this process what it is for. Only glibc is told; others need no telling."""
    # Reports are thousands of short-lived objects: what was loaded at the start is not looked through again for them.
    gc.freeze()
    gc.set_threshold(GC_AFTER, 20, 20)
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        for name, value in ((ARENA_MAX, ARENAS), (MMAP_THRESHOLD, LONG), (TRIM_THRESHOLD, SPARE)):
            mallopt(name, value)


async def give_back() -> None:
    """Return what is free in the middle of the heaps to the system now and then; only glibc is told."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    while trim is not None:
        await asyncio.sleep(TRIM_EVERY_S)
        await asyncio.to_thread(trim, 0)
