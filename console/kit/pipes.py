"""Output that somebody may stop reading, as `| head` does."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def until_nobody_reads() -> Iterator[None]:
    """End the block quietly once the reader of standard output is gone."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        # What Python flushes at its end must find no closed pipe either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
