"""Several processes at one address, each with a share of the connections.

uvicorn gives all of them one socket, and whoever wakes first takes every connection that waits: of sixteen agents one
process may serve fifteen. On Linux each has a socket of its own at the address, and the kernel deals the connections out.
"""

import ctypes
import os
import signal
import socket
import sys
from collections.abc import Callable
from typing import Any

import uvicorn
from uvicorn.supervisors import Multiprocess

PR_SET_PDEATHSIG = 1  # Linux's name


def run(settings: uvicorn.Config) -> None:
    """Serve until told to end; a process that dies is replaced."""
    sockets = OneEach(settings.host, settings.port) if sys.platform == "linux" else [settings.bind_socket()]
    Multiprocess(settings, sockets=sockets).run()


class OneEach(list[socket.socket]):
    """Sockets for uvicorn to hand to its processes: on the way into a process they become one of its own.

    The one that is held here keeps the address and is never listened on.
    """

    def __init__(self, host: str, port: int) -> None:
        held = bound(host, port)
        super().__init__([held])
        self._address = (host, int(held.getsockname()[1]))

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str, int, int]]:
        """Be a list of a new socket there."""
        return own, (*self._address, os.getpid())


def own(host: str, port: int, parent: int) -> list[socket.socket]:
    """Give this process's own. The process will end with its parent: an orphan would keep the address."""
    if os.getpid() != parent:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it has gone already
            raise SystemExit(1)
    return [bound(host, port)]


def bound(host: str, port: int) -> socket.socket:
    """Give a socket at an address that others of the same user may share."""
    made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    made.bind((host, port))
    return made
