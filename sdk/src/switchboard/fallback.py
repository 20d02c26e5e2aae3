"""What answers when the tool does not: an answer kept from before, another tool, a fixed answer, or going without."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from switchboard.failure import ToolError
from switchboard.kit import Kit
from switchboard.logical import LogicalCall
from switchboard.runtime import Runtime
from switchboard.vocabulary import Effect, FailureClass


class Found(NamedTuple):
    """An answer from elsewhere, saying where from and how old."""

    data: Any
    source: str
    age_s: float | None = None
    degraded: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Need:
    """Who needs an answer from elsewhere, and because of which error."""

    runtime: Runtime
    call: LogicalCall
    error: ToolError

    @property
    def box(self) -> Kit:
        """The toolbox, with its other tools and its kept answers."""
        return self.call.session.box


class Fallback(Protocol):
    """One rung. Lower ranks are tried first: 0 fresh cache, 1 alternate, 2 stale cache, 3 static, 4 degrade."""

    @property
    def rank(self) -> int:
        """Its place among the rungs."""
        ...

    async def find(self, need: Need, /) -> tuple[Found | None, ToolError | None]:
        """An answer, or the error that kept it from one."""
        ...


@dataclass(frozen=True, slots=True)
class FreshCache:
    """The answer to the same question, not older than `max_age_s`."""

    max_age_s: float = 60.0
    rank: int = 0

    async def find(self, need: Need, /) -> tuple[Found | None, ToolError | None]:
        """The kept answer."""
        return _kept(need, self.max_age_s, "cache", degraded=False), None


@dataclass(frozen=True, slots=True)
class StaleCache:
    """An older answer to the same question: for reads, and only when the service is away (RFC 5861)."""

    max_age_s: float = 3600.0
    rank: int = 2

    async def find(self, need: Need, /) -> tuple[Found | None, ToolError | None]:
        """The kept answer, where an old one may stand in."""
        if need.call.tool.effect is not Effect.READ or need.error.class_ is not FailureClass.TRANSIENT:
            return None, None
        return _kept(need, self.max_age_s, "stale_cache", degraded=True), None


@dataclass(frozen=True, slots=True)
class Alternate:
    """Another tool for the same purpose. `args` turns the arguments of the one into those of the other."""

    tool: str
    args: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
    note: str = "Answered by another service: confirm what differs."
    rank: int = 1

    async def find(self, need: Need, /) -> tuple[Found | None, ToolError | None]:
        """What the other tool says."""
        call = need.call
        given = dict(self.args(call.args.plain) if self.args else call.args.plain)
        result = await call.session.path.make(
            need.runtime,
            self.tool,
            given,
            logical_id=f"{call.logical_id}/{self.tool}",
            inner=True,
        )
        if not result.ok:
            return None, result.error
        return Found(result.data, f"alternate:{self.tool}", note=self.note), None


@dataclass(frozen=True, slots=True)
class Static:
    """A fixed answer."""

    data: Any
    note: str = "A fixed answer, because the service did not give one."
    rank: int = 3

    async def find(self, _: Need, /) -> tuple[Found | None, ToolError | None]:
        """The fixed answer."""
        return Found(self.data, "static", degraded=True, note=self.note), None


@dataclass(frozen=True, slots=True)
class Degrade:
    """Go on without an optional step, and say so."""

    note: str
    rank: int = 4

    async def find(self, _: Need, /) -> tuple[Found | None, ToolError | None]:
        """Nothing, and the note that says so."""
        return Found(None, "degraded", degraded=True, note=self.note), None


def _kept(need: Need, max_age_s: float, source: str, *, degraded: bool) -> Found | None:
    found = need.box.kept.get(need.call.fingerprint, max_age_s)
    if found is None:
        return None
    age_s, data = found
    return Found(data, source, round(age_s, 3), degraded, f"An answer from {age_s:.0f} s ago.")
