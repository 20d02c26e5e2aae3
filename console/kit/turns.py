"""How long a thread that computes keeps the interpreter while others wait for it.

Half a millisecond lets the event loop hand out decisions while a page is rendered; Python's own five would be felt. But each
change of turns costs both threads what they had in their caches: where many small pieces of work go to and fro between two
threads, long turns are a quarter less work, and the loop waits for nobody but these two.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

SHORT_S = 0.0005
LONG_S = 0.005


@contextmanager
def short() -> Iterator[None]:
    """Have short turns in this process as long as the block runs."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(SHORT_S)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


class LongWhile:
    """Has long turns as long as its owner says so, and what there was before when it no longer does."""

    def __init__(self) -> None:
        self._before: float | None = None

    @property
    def on(self) -> bool:
        """Say whether turns are long."""
        return self._before is not None

    def set(self, wanted: bool) -> None:  # noqa: FBT001  # the one thing it is told
        """Begin or end; it costs nothing to say the same again."""
        if wanted and self._before is None:
            self._before = sys.getswitchinterval()
            sys.setswitchinterval(LONG_S)
        elif not wanted and self._before is not None:
            sys.setswitchinterval(self._before)
            self._before = None
