"""Reporting must never break the agent; our own tests must never miss a bug."""

import logging
import threading
from types import TracebackType
from typing import Self

log = logging.getLogger("switchboard")

_said: set[str] = set()
_said_lock = threading.Lock()
_MOST_SAID = 1_000


class _Mode:
    loud = False


class loud:  # noqa: N801  # it is used as a verb: `switchboard.loud()` or `with switchboard.loud():`
    """Let the SDK's own faults out, for the SDK's tests. Nothing else switches this on.

    As a context manager it puts the earlier mode back.
    """

    def __init__(self, on: bool = True) -> None:  # noqa: FBT001, FBT002  # read aloud: loud(), loud(False)
        self._before = _Mode.loud
        _Mode.loud = on

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> None:
        _Mode.loud = self._before


class quiet:  # noqa: N801  # it is used as a verb: `with quiet("reporting a call"):`
    """Swallow and log our own faults, once each, unless the loud mode is on."""

    __slots__ = ("_doing",)

    def __init__(self, doing: str) -> None:
        self._doing = doing

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> bool:
        if not isinstance(exc, Exception) or _Mode.loud:
            return False
        fault(self._doing, exc)
        return True


def fault(doing: str, exc: Exception) -> None:
    """Say once that something of ours went wrong; raise it where the loud mode is on."""
    if _Mode.loud:
        raise exc
    if once(f"{doing}: {type(exc).__name__}"):
        log.warning("Switchboard failed while %s; the agent goes on.", doing, exc_info=exc)


def once(what: str) -> bool:
    """True the first time `what` is seen in this process, so that a log line is written once."""
    with _said_lock:
        if what in _said or len(_said) >= _MOST_SAID:
            return False
        _said.add(what)
        return True


def forget() -> None:
    """Let every line be said again: after a fork, and between tests."""
    _said.clear()
