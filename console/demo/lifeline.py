"""A child process that does not outlive the one that started it."""

import os
import signal
import threading
import time

LOOK_EVERY_S = 1.0


def end_with_parent(parent: int) -> None:
    """End this process soon after its parent has gone; 0 means that nobody is to be watched.

    A killed parent cannot tell its children anything, but the system gives them another parent.
    """
    if parent:
        threading.Thread(target=_watch, args=(parent,), daemon=True, name="lifeline").start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK_EVERY_S)
    os.kill(os.getpid(), signal.SIGTERM)
