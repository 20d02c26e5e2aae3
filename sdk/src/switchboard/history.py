"""What a session has been told so far: facts for the last answer, and reports that may have to be said again."""

from dataclasses import dataclass
from typing import Any

from switchboard.logical import LogicalCall
from switchboard.result import Result
from switchboard.task import Task
from switchboard.vocabulary import FailureClass, Outcome

_REASONED = frozenset({FailureClass.INVALID_ARGS, FailureClass.EMPTY, FailureClass.HARD})


@dataclass(frozen=True, slots=True)
class Final:
    """The last answer of a session. `incomplete` says why it is not the whole task, where it is not."""

    reply: str
    incomplete: str | None
    facts: tuple[str, ...]

    def for_model(self) -> str:
        """The instruction for the one last model turn."""
        known = "\n".join(self.facts) or "(nothing)"
        why = f" It stays incomplete: {self.incomplete}." if self.incomplete else ""
        return f"Make no further tool call.{why} Answer from these facts only:\n{known}"


class History:
    """The memory of one session; short, because a session is."""

    def __init__(self, session: Task) -> None:
        self._session = session
        self._results: list[Result] = []
        self._here: set[str] = set()
        self._told: dict[str, dict[str, Any]] = {}
        self._unsolved: dict[str, list[dict[str, Any]]] = {}

    @property
    def facts(self) -> tuple[str, ...]:
        """Everything the tools have said, as a model is given it."""
        return tuple(result.for_model() for result in self._results)

    def first_replay(self, call: LogicalCall) -> bool:
        """Whether this call was made by an earlier process and is replayed here for the first time."""
        if call.logical_id in self._here:
            return False
        self._here.add(call.logical_id)
        return True

    def told(self, call: LogicalCall, seen: dict[str, Any], result: Result) -> None:
        """Keep what the last answer may be made from, and what may have to be said again."""
        if not self._session.named or call.inner:
            return
        self._here.add(call.logical_id)
        self._results.append(result)
        if result.error is not None:
            self._told[call.logical_id] = seen
        if call.exact is None and result.outcome is not Outcome.ESCALATED:
            self._by_model(seen, result)

    def tell_again(self, logical_id: str, *, action: str) -> None:
        """A call that people brought through is reported once more, as recovered by them."""
        seen = self._told.get(logical_id)
        if seen is not None:
            self._recovered(seen, "human", action)

    def _by_model(self, seen: dict[str, Any], result: Result) -> None:
        """What failed under one reading of the task and worked under another was recovered by the model."""
        if result.error is not None and result.error.class_ in _REASONED:
            self._unsolved.setdefault(result.tool, []).append(seen)
        elif result.outcome in {Outcome.SUCCEEDED, Outcome.RECOVERED}:
            for earlier in self._unsolved.pop(result.tool, []):
                seen["retry_of"] = earlier["call_id"]
                self._recovered(earlier, "model", "changed the call")

    def _recovered(self, seen: dict[str, Any], by: str, action: str) -> None:
        box = self._session.box
        latency_s = (box.clock.now() - seen["started_at"]).total_seconds()
        recovery = {"by": by, "action": action, "latency_ms": round(latency_s * 1000)}
        box.tell({**seen, "rev": seen.get("rev", 0) + 1, "outcome": "recovered", "recovery": recovery})
