"""Child processes that never outlive their parent, however it dies.

A parent holds the writing end of a pipe, its lifeline; the child reads the other end. When the parent is gone,
by whatever signal, the kernel closes the pipe and the child ends its whole process group. Works at every level:
a child that starts children of its own through `start` is the parent they follow.
"""

import os
import signal
import subprocess
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO

LIFELINE = "SWITCHBOARD_LIFELINE"
GRACE_S = 5.0


@dataclass(frozen=True)
class Child:
    """A started child: its process, and the end of the lifeline that must stay open as long as it may live."""

    name: str
    process: subprocess.Popen[bytes]
    lifeline: int

    def signal(self, number: int) -> None:
        """Send a signal to the child's whole process group; one that is gone already needs none."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)


def start(
    name: str,
    argv: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    out: int | IO[bytes] | None = None,
    cwd: str | None = None,
) -> Child:
    """Start a child in a process group of its own, tied to this process by a lifeline."""
    theirs, ours = os.pipe()
    try:
        process = subprocess.Popen(
            argv,
            env={**(os.environ if env is None else env), LIFELINE: str(theirs)},
            pass_fds=[theirs],
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out and subprocess.STDOUT,
            cwd=cwd,
        )
    finally:
        os.close(theirs)
    return Child(name, process, ours)


def stop(children: Iterable[Child], *, grace_s: float = GRACE_S) -> None:
    """Ask every child to end, wait for all of them together, then end what is left of each group."""
    living = list(children)
    for child in living:
        child.signal(signal.SIGTERM)
    for child in living:
        with suppress(subprocess.TimeoutExpired):
            child.process.wait(timeout=grace_s)
        child.signal(signal.SIGKILL)
        child.process.wait()
        os.close(child.lifeline)


def follow_parent() -> None:
    """In a child: end this process group as soon as the parent is gone. Does nothing in a process without lifeline."""
    given = os.environ.pop(LIFELINE, "")
    if not given:
        return
    end = int(given)
    os.set_inheritable(end, False)
    threading.Thread(target=_wait_and_end, args=(end,), name="lifeline", daemon=True).start()


def _wait_and_end(end: int) -> None:
    while os.read(end, 1):
        pass
    os.killpg(os.getpgid(0), signal.SIGKILL)
