"""Who has a session open, and whether that process still lives."""

import os
import socket
from dataclasses import dataclass
from pathlib import Path

from switchboard._ids import uuid7

_SEPARATOR = "|"


@dataclass(frozen=True, slots=True)
class Owner:
    """One opening of a session. `machine` changes with a reboot, `started` tells a reused process number apart."""

    machine: str
    pid: int
    started: str
    opening: str

    @classmethod
    def here(cls) -> "Owner":
        """This process, opening a session now."""
        return cls(_machine(), os.getpid(), _started(os.getpid()) or "", uuid7())

    @classmethod
    def read(cls, text: str) -> "Owner":
        """An owner as it was written down."""
        machine, pid, started, opening = text.split(_SEPARATOR)
        return cls(machine, int(pid), started, opening)

    def __str__(self) -> str:
        return _SEPARATOR.join((self.machine, str(self.pid), self.started, self.opening))

    def alive(self) -> bool | None:
        """True or False where it can be told; None for a process of another machine."""
        if self.machine != _machine():
            return None
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return not self.started or _started(self.pid) == self.started


def _machine() -> str:
    """Host, boot and process namespace: inside one of these a process number means one process."""
    boot = _text("/proc/sys/kernel/random/boot_id")
    try:
        space = str(Path("/proc/self/ns/pid").stat().st_ino)
    except OSError:
        space = ""
    return f"{socket.gethostname()}/{boot}/{space}".replace(_SEPARATOR, "_")


def _started(pid: int) -> str | None:
    """When a process began, in clock ticks since boot. A zombie counts as gone."""
    stat = _text(f"/proc/{pid}/stat").rpartition(")")[2].split()
    if len(stat) < 20 or stat[0] == "Z":
        return None
    return stat[19]


def _text(path: str) -> str:
    try:
        return Path(path).read_text().strip()
    except OSError:
        return ""


def still_held(owner: str, lease_until: float, now: float) -> bool:
    """Whether a session's owner is at work: it lives, or, where that cannot be seen from here, its lease runs."""
    if lease_until == 0:
        return False
    alive = Owner.read(owner).alive()
    return lease_until > now if alive is None else alive
