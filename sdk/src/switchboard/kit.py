"""What a toolbox is made of, as its calls use it: tools, rules, breakers, budgets, a clock, threads, a console."""

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from switchboard.breaker import BreakerPolicy
from switchboard.breakers import Breakers, Budgets
from switchboard.clock import Clock, SystemClock
from switchboard.console import Console
from switchboard.failure import Deferred, SessionLost
from switchboard.kept import Kept
from switchboard.plans import Offers
from switchboard.policy import Policy, table
from switchboard.rules import DEFAULT_RULES, Rules
from switchboard.runtime import AsyncRuntime, SyncRuntime
from switchboard.tool import Tool
from switchboard.vocabulary import FilterMode
from switchboard.workers import Workers

_log = logging.getLogger("switchboard")
OUR_OWN = (Deferred, SessionLost)  # what passes through a call without being a failure of its tool


class Kit:
    """The equipment of a toolbox, shared by all of its sessions."""

    def __init__(
        self,
        client: Console | None = None,
        *,
        policies: Mapping[str, Policy | Mapping[str, object]] | None = None,
        rules: Rules | None = None,
        breakers: Mapping[str, BreakerPolicy] | None = None,
        default_breaker: BreakerPolicy | None = None,
        refresh: Mapping[str, Callable[[], Any]] | None = None,
        call_filter: FilterMode = "on",
        offers: Offers | None = None,
        passing: Sequence[type[BaseException]] = (),
        open_deadline_s: float = 5.0,
        clock: Clock | None = None,
    ) -> None:
        self.client = client
        self.clock: Clock = clock or SystemClock()
        self.tools: dict[str, Tool] = {}
        self.policies: dict[str, Policy] = table(policies)
        self.rules: Rules = rules or Rules(DEFAULT_RULES)
        self.refresh: dict[str, Callable[[], Any]] = dict(refresh or {})
        self.filter_mode: FilterMode = call_filter
        self.offers = offers
        self.passing: tuple[type[BaseException], ...] = (*OUR_OWN, *passing)
        self.open_deadline_s = open_deadline_s
        link = getattr(client, "breakers", None)
        self.breakers: Breakers = Breakers(
            breakers or {}, default_breaker or BreakerPolicy(), clock=self.clock, link=link
        )
        self.budgets: Budgets = Budgets()
        self.kept: Kept = Kept(self.clock)
        self.workers: Workers = Workers()
        self.waits: AsyncRuntime = AsyncRuntime(self.clock, self.workers)
        self.blocks: SyncRuntime = SyncRuntime(self.clock, self.workers)

    @property
    def may_ask_first(self) -> bool:
        """Whether a framework may interrupt a call before it does anything, and make it again later."""
        return len(self.passing) > len(OUR_OWN)

    def schemas(self) -> list[dict[str, Any]]:
        """Name, description and argument schema of every tool, to give to a model."""
        return [
            {"name": tool.name, "description": tool.description, "parameters": tool.schema}
            for tool in self.tools.values()
        ]

    def tell(self, call: dict[str, Any]) -> None:
        """Report a finished call. Reporting never disturbs a call."""
        if self.client is None:
            return
        try:
            self.client.report(call)
        except Exception:  # noqa: BLE001  # reporting never disturbs a call
            _log.exception("A call could not be reported; the agent goes on.")
