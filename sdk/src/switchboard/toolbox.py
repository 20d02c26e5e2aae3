"""The registry of an agent's tools and the one way to call them."""

import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path as FilePath
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack

from switchboard._ids import uuid7
from switchboard._records import new_trace_id, traced
from switchboard.breaker import BreakerPolicy
from switchboard.breakers import Breakers, Budgets
from switchboard.call_filter import Mode
from switchboard.clock import Clock, SystemClock
from switchboard.console import Console
from switchboard.failure import Deferred, SessionLost
from switchboard.fallback import Kept
from switchboard.journal import Journal, MemoryJournal, SqliteJournal
from switchboard.limits import UNLIMITED, Limits
from switchboard.path import Path, Raw
from switchboard.policy import Policy, table
from switchboard.proposals import Offers
from switchboard.registration import ToolFields, make_tool
from switchboard.result import Result
from switchboard.rules import DEFAULT_RULES, Rules
from switchboard.runtime import AsyncRuntime, SyncRuntime
from switchboard.session import Session, current
from switchboard.tool import Tool
from switchboard.workers import Workers

F = TypeVar("F", bound=Callable[..., Any])
_log = logging.getLogger("switchboard")


class Toolbox:
    """The tools of an agent. Without a client nothing is reported and nobody can be asked; everything else works."""

    def __init__(
        self,
        client: Console | None = None,
        *,
        policies: Mapping[str, Policy | Mapping[str, object]] | None = None,
        rules: Rules | None = None,
        breakers: Mapping[str, BreakerPolicy] | None = None,
        default_breaker: BreakerPolicy | None = None,
        refresh: Mapping[str, Callable[[], Any]] | None = None,
        call_filter: Mode = "on",
        offers: Offers | None = None,
        passing: Sequence[type[BaseException]] = (),
        open_deadline_s: float = 5.0,
        clock: Clock | None = None,
    ) -> None:
        self.client = client
        self.clock: Clock = clock or SystemClock()
        self.tools: dict[str, Tool] = {}
        self.policies = table(policies)
        self.rules = rules or Rules(DEFAULT_RULES)
        self.refresh = dict(refresh or {})
        self.filter_mode: Mode = call_filter
        self.offers = offers
        self.passing: tuple[type[BaseException], ...] = (Deferred, SessionLost, *passing)
        self.open_deadline_s = open_deadline_s
        link = getattr(client, "breakers", None)
        self.breakers = Breakers(
            breakers or {}, default_breaker or BreakerPolicy(), clock=self.clock, link=link
        )
        self.budgets = Budgets()
        self.kept = Kept(self.clock)
        self.path = Path(self)
        self._workers = Workers()
        self.waits = AsyncRuntime(self.clock, self._workers)
        self.blocks = SyncRuntime(self.clock, self._workers)
        # Calls without a session around them: no caps, no journal, nobody to ask, nothing kept from one to the next.
        self._loose = Session(
            self, session_id="", goal="", trace_id="", limits=UNLIMITED, journal=None, named=False
        )

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
        return await (current.get() or self._loose).call(name, args, call_id=call_id)

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

    def schemas(self) -> list[dict[str, Any]]:
        """Name, description and argument schema of every tool, to give to a model."""
        return [
            {"name": tool.name, "description": tool.description, "parameters": tool.schema}
            for tool in self.tools.values()
        ]

    @property
    def stuck(self) -> int:
        """Functions that timed out and are still running in their threads."""
        return self._workers.stuck

    def tell(self, call: dict[str, Any]) -> None:
        """Report a finished call. Reporting never disturbs a call."""
        if self.client is None:
            return
        try:
            self.client.report(call)
        except Exception:  # noqa: BLE001  # reporting never disturbs a call
            _log.exception("A call could not be reported; the agent goes on.")

    def close(self) -> None:
        """Let the breakers and the threads go. The client is not ours and stays open."""
        self.breakers.close()
        self._workers.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
