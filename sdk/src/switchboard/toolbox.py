"""The registry of an agent's tools and the one way to call them."""

from collections.abc import Callable
from functools import cached_property
from pathlib import Path as FilePath
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack

from switchboard._ids import uuid7
from switchboard._records import new_trace_id, traced
from switchboard.arguments import Raw
from switchboard.journal import Journal, MemoryJournal, SqliteJournal
from switchboard.kit import Kit
from switchboard.limits import UNLIMITED, Limits
from switchboard.registration import ToolFields, make_tool
from switchboard.result import Result
from switchboard.session import Session, current

F = TypeVar("F", bound=Callable[..., Any])


class Toolbox(Kit):
    """The tools of an agent. Without a client nothing is reported and nobody can be asked; everything else works."""

    @cached_property
    def _loose(self) -> Session:
        """Calls without a session around them: no caps, no journal, nobody to ask, nothing kept from one to the next."""
        return Session(self, session_id="", goal="", trace_id="", limits=UNLIMITED, journal=None, named=False)

    def tool(self, **said: Unpack[ToolFields]) -> Callable[[F], F]:
        """Register a function as a tool; the function itself stays as it is.

        An effect that is not declared is `write`: nothing is assumed safe to repeat.
        """

        def register(function: F) -> F:
            tool = make_tool(function, said, self.policies)
            if tool.name in self.tools:
                raise ValueError(f"There is a tool {tool.name!r} already.")
            self.tools[tool.name] = tool
            return function

        return register

    async def call(self, name: str, args: Raw | None = None, *, call_id: str | None = None) -> Result:
        """Call a tool, in the session around it if there is one. Raises nothing for a tool's failure."""
        session = current.get() or self._loose
        return await session.path.make(self.waits, name, {} if args is None else args, logical_id=call_id)

    def call_sync(self, name: str, args: Raw | None = None, *, call_id: str | None = None) -> Result:
        """As `call`, blocking. Not inside an event loop."""
        return (current.get() or self._loose).call_sync(name, args, call_id=call_id)

    def session(
        self,
        *,
        id: str | None = None,  # noqa: A002  # the word people use
        goal: str = "",
        journal: str | FilePath | Journal | None = None,
        limits: Limits | None = None,
        trace_id: str | None = None,
        lease_s: float = 60.0,
    ) -> Session:
        """One task. With the same `id` and `journal` after a crash it goes on where it was.

        Raises SessionBusy while a living process has the session open.
        """
        session_id = id or uuid7()
        trace = trace_id or traced().get("trace_id") or new_trace_id()
        if isinstance(journal, str | FilePath):
            opened = SqliteJournal(
                journal, session_id, goal=goal, trace_id=trace, clock=self.clock, lease_s=lease_s
            )
            journal, trace = opened, opened.trace_id
        return Session(
            self,
            session_id=session_id,
            goal=goal,
            trace_id=trace,
            limits=limits or Limits(),
            journal=journal or MemoryJournal(session_id),
        )

    @property
    def stuck(self) -> int:
        """Functions that timed out and are still running in their threads."""
        return self.workers.stuck

    def close(self) -> None:
        """Let the breakers and the threads go. The client is not ours and stays open."""
        self.breakers.close()
        self.workers.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
