"""What keeps a loop from going on for ever: caps, rounds, a deadline, and noticing that it is stuck."""

from collections import Counter
from dataclasses import dataclass

from switchboard.failure import ToolError
from switchboard.tool import Tool
from switchboard.vocabulary import Executed, FailureClass

_OBSERVATIONS = frozenset({FailureClass.EMPTY, FailureClass.PARTIAL})


@dataclass(frozen=True, slots=True)
class Limits:
    """The caps of one session; None means no cap.

    A round is one model turn with at least one tool call, however many run in it. After `failures_in_a_row` failures
    of one tool that the model has seen, its fallbacks are used; after `failures_to_person` the task goes to a person.
    """

    calls: int | None = 10
    calls_per_tool: int | None = 3
    rounds: int | None = 5
    deadline_s: float | None = 60.0
    failures_in_a_row: int = 2
    failures_to_person: int = 3
    person_at_limit: bool = True


UNLIMITED = Limits(calls=None, calls_per_tool=None, rounds=None, deadline_s=None)


@dataclass(slots=True)
class _Streak:
    """The failures of one tool since it last worked."""

    class_: FailureClass | None = None
    length: int = 0
    codes: Counter[str] | None = None


class LoopGuard:
    """Counts what one session has used."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.calls: int = 0
        self.rounds: int = 0
        self.reached: str | None = None
        self._per_tool: Counter[str] = Counter()
        self._streaks: dict[str, _Streak] = {}
        self._open_turn = False

    def begin_turn(self) -> None:
        """A model turn begins; it becomes a round with its first call."""
        self._open_turn = True

    def end_turn(self) -> None:
        """The turn is over; calls outside of turns belong to no round."""
        self._open_turn = False

    def admit(self, tool: Tool) -> ToolError | None:
        """Reserve one call before it runs, so that a parallel batch cannot overshoot; or say why not."""
        limits, used = self.limits, self._per_tool[tool.name]
        cap = tool.max_calls if tool.max_calls is not None else limits.calls_per_tool
        if self.reached is not None:
            return _refused(self.reached, "This session is at its limit.")
        if self._open_turn and limits.rounds is not None and self.rounds >= limits.rounds:
            return self._end("ROUND_LIMIT", f"All {limits.rounds} rounds are used.")
        if limits.calls is not None and self.calls >= limits.calls:
            return self._end("CALL_LIMIT", f"All {limits.calls} tool calls of this session are used.")
        if cap is not None and used >= cap:
            return _refused("TOOL_CALL_LIMIT", f"{tool.name} was called {used} times, which is its limit.")
        if self._open_turn:
            self._open_turn = False
            self.rounds += 1
        self.calls += 1
        self._per_tool[tool.name] += 1
        return None

    def give_back(self, tool: Tool) -> None:
        """The call was answered without being made: a replay or a skip costs nothing."""
        self.calls -= 1
        self._per_tool[tool.name] -= 1

    def deadline_passed(self) -> ToolError:
        """End the session because its time is over."""
        return self._end("DEADLINE", "The time of this session is over.")

    def saw(self, tool: str, error: ToolError | None) -> None:
        """What the model saw of a tool. Hidden attempts, skips and people's refusals are not told here."""
        if error is None or error.class_ in _OBSERVATIONS:
            self._streaks.pop(tool, None)
            return
        streak = self._streaks.setdefault(tool, _Streak(codes=Counter()))
        streak.length = streak.length + 1 if error.class_ is streak.class_ else 1
        streak.class_ = error.class_
        if streak.codes is not None:
            streak.codes[error.code] += 1

    def failures(self, tool: str, error: ToolError) -> int:
        """How many in a row this failure would make: of its class, or with its code in whatever words."""
        streak = self._streaks.get(tool)
        if streak is None or streak.codes is None:
            return 1
        same_class = streak.length if streak.class_ is error.class_ else 0
        return 1 + max(same_class, streak.codes[error.code])

    def used(self) -> dict[str, dict[str, float]]:
        """How much of each cap is used, for the report of a call."""
        limits = self.limits
        pairs = {"calls": (self.calls, limits.calls), "rounds": (self.rounds, limits.rounds)}
        return {name: {"used": used, "max": cap} for name, (used, cap) in pairs.items() if cap is not None}

    def _end(self, code: str, message: str) -> ToolError:
        self.reached = code
        return _refused(code, message)


def _refused(code: str, message: str) -> ToolError:
    return ToolError(
        class_=FailureClass.HARD,
        code=code,
        message=message + " Nothing was executed.",
        hint="Answer now with what is known (finalize); no further call of this kind will be made.",
        executed=Executed.NO,
    )
