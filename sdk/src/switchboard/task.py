"""One task of an agent, as each of its calls sees it: who it is, what it may still use, where it is written down."""

from dataclasses import dataclass
from typing import Any, Protocol

from switchboard.arguments import Raw
from switchboard.journal import Journal
from switchboard.kit import Kit
from switchboard.limits import Limits, LoopGuard
from switchboard.result import Result
from switchboard.runtime import Runtime
from switchboard.usefulness import Likelihoods
from switchboard.waiting import Deadline


@dataclass(slots=True)
class Decided:
    """How a decided step is to be run: exactly so, with the key the console gave it."""

    key: str


class Calls(Protocol):
    """The one way to make a call. Parts of a call that make further ones know it by this alone."""

    async def make(
        self,
        runtime: Runtime,
        name: str,
        raw: Raw,
        *,
        logical_id: str | None = None,
        inner: bool = False,
        exact: Decided | None = None,
        likelihoods: Likelihoods | None = None,
    ) -> Result:
        """Make one call."""
        ...


class Task:
    """The state of one task."""

    def __init__(
        self,
        box: Kit,
        *,
        session_id: str,
        goal: str,
        trace_id: str,
        limits: Limits,
        journal: Journal | None,
        named: bool = True,
    ) -> None:
        self.box = box
        self.id = session_id
        self.goal = goal
        self.trace_id = trace_id
        self.named = named
        self.journal = journal
        self.guard: LoopGuard = LoopGuard(limits)
        self.deadline: Deadline = Deadline(box.clock, limits.deadline_s)
        self.under_way: set[str] = set()
        self.remotes: dict[str, Any] = {}
        self.turn_id: str | None = None
        self.reasoning: str | None = None
        self._place = 0

    @property
    def path(self) -> Calls:
        """The way of every call of this task, by which one call also makes another."""
        raise NotImplementedError

    def next_id(self) -> str:
        """The name of the next call by its place: never from the clock."""
        self._place += 1
        return f"c{self._place}"
