"""What a fork must find and what it leaves: our threads stand still, and the child begins anew."""

import os
import sys
import weakref
from collections.abc import Callable
from typing import Any

STILL_S = 2.0


class _Registered:
    """Whoever wants to know of forks. multiprocessing holds what it calls weakly, so it is an object."""

    def __init__(self) -> None:
        self.to_hold: weakref.WeakSet[Any] = weakref.WeakSet()
        self.to_renew: weakref.WeakSet[Any] = weakref.WeakSet()
        self.first: list[Callable[[], object]] = []
        self.last: list[Callable[[], object]] = []
        self.held: list[Callable[[], object]] = []


_registered = _Registered()


def hold_at_fork(part: Any) -> None:
    """Have `part.hold_still(seconds)` called before a fork, and what it gives after it, in the parent."""
    _registered.to_hold.add(part)


def renew_after_fork(part: Any) -> None:
    """Have `part.forked()` called in a child process."""
    _registered.to_renew.add(part)


def renew_first(action: Callable[[], object]) -> None:
    """Have `action` called in a child process, before any part is renewed."""
    _registered.first.append(action)


def at_end_of_child(action: Callable[[], object]) -> None:
    """Have it done at the end of a child that multiprocessing has forked: `atexit` is passed over there."""
    _registered.last.append(action)


def _before() -> None:
    _registered.held.extend([part.hold_still(STILL_S) for part in tuple(_registered.to_hold)])


def _in_parent() -> None:
    while _registered.held:
        _registered.held.pop()()


def _in_child() -> None:
    _registered.held.clear()
    for action in _registered.first:
        action()
    for part in tuple(_registered.to_renew):
        part.forked()
    if (module := sys.modules.get("multiprocessing.util")) is not None:
        module.register_after_fork(_registered, _promise_end)


def _promise_end(registered: _Registered) -> None:
    """Run when multiprocessing has forgotten what its child inherited: only what is registered now is done at its end."""
    for action in registered.last:
        sys.modules["multiprocessing.util"].Finalize(None, action, exitpriority=0)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_in_parent, after_in_child=_in_child)
