"""A tool's coroutine that takes its first step at once, in a task of its own.

A task made the usual way begins with the event loop's next turn and wakes whoever waits with the one after. A tool that
has its answer at once (kept, computed, refused) needs neither turn, and two turns cost as much as the rest of a call.
Python 3.12 calls this an eager task; here it is for 3.11 too, with what asyncio documents for implementers of tasks.
"""

import asyncio
import contextvars
from asyncio.tasks import _enter_task, _leave_task
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

_NOTHING = object()


class Begun(Coroutine[Any, Any, Any]):
    """A tool's coroutine under way; the same task is the current one from its first step to its last.

    `ended` in its first step, it has an `outcome()`. Otherwise its task has it, and `on_end` is called when it is there.
    """

    __slots__ = ("_error", "_first", "_value", "_work", "ended", "on_end")

    def __init__(self, work: Awaitable[Any]) -> None:
        self._work: Any = work if asyncio.iscoroutine(work) else _awaited(work)
        self._first: Any = _NOTHING
        self._value: Any = None
        self._error: BaseException | None = None
        self.ended: bool = False
        self.on_end: Callable[[], object] | None = None

    def start(self, loop: asyncio.AbstractEventLoop) -> "asyncio.Task[Any]":
        """Make the task and take the first step in it."""
        context = contextvars.copy_context()
        task = loop.create_task(self, context=context)
        around = asyncio.current_task(loop)
        if around is not None:
            _leave_task(loop, around)
        _enter_task(loop, task)
        try:
            self._first = context.run(self._work.send, None)
        except StopIteration as stop:
            self.ended, self._value = True, stop.value
        except BaseException as exc:  # noqa: BLE001  # `outcome` raises it
            self.ended, self._error = True, exc
        finally:
            _leave_task(loop, task)
            if around is not None:
                _enter_task(loop, around)
        return task

    def outcome(self) -> Any:
        """What the first step returned, or what it raised."""
        error, self._error = self._error, None
        if error is None:
            return self._value
        try:
            raise error
        finally:
            del error  # an exception that is held by a frame of its own traceback waits for the collector

    # -- what a task asks of a coroutine ----------------------------------------------------------------------

    def send(self, value: Any) -> Any:
        """Go on. At first the task is given what the first step waits for."""
        if self.ended:
            raise StopIteration
        if self._first is not _NOTHING:
            first, self._first = self._first, _NOTHING
            return first
        return self._go_on(self._work.send, value)

    def throw(self, *exc: Any) -> Any:
        """Raise this in the tool: it is cancelled. What its first step waits for may be unknown to the task so far."""
        if self.ended:
            raise StopIteration
        first, self._first = self._first, _NOTHING
        if isinstance(first, asyncio.Future):
            first.cancel()
        return self._go_on(self._work.throw, *exc)

    def close(self) -> None:
        """Give it up."""
        self._work.close()

    def __await__(self) -> Any:
        """Only its task carries it on."""
        raise TypeError("this is carried on by its task; wait for that")

    def _go_on(self, step: Callable[..., Any], *what: Any) -> Any:
        try:
            return step(*what)
        except BaseException:  # its end, of whatever kind
            if self.on_end is not None:
                self.on_end()
            raise


async def _awaited(work: Awaitable[Any]) -> Any:
    return await work
