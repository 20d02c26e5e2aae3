"""A `with` block around one tool call: it sees when, how long, how often, and what went wrong."""

from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self

from switchboard._ids import uuid7
from switchboard._quiet import fault, quiet
from switchboard.classify import answer_of
from switchboard.clock import Clock

_JUDGED = ("outcome", "failure", "evidence", "items")

Report = Callable[[Mapping[str, Any]], None]


class Recorder:
    """One call being made. Works in `with` and in `async with`; it never swallows what the call raises."""

    __slots__ = ("_attempts", "_began", "_clock", "_failed_at", "_report", "_said", "_tried_at", "call_id")

    def __init__(self, report: Report, clock: Clock, fields: dict[str, Any]) -> None:
        self._report = report
        self._clock = clock
        self._said = fields
        self._attempts: list[dict[str, Any]] = []
        self._failed_at: float | None = None
        self._tried_at: float | None = None
        if "call_id" not in fields:
            fields["call_id"] = uuid7()
        self.call_id: str = str(fields["call_id"])

    def __enter__(self) -> Self:
        self._said["started_at"] = self._clock.now()
        self._began = self._clock.monotonic()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> None:
        try:
            said = self._said
            said["duration_ms"] = round((self._clock.monotonic() - self._began) * 1000, 3)
            if exc is None:
                self._conclude()
            else:
                said["evidence"] = {**evidence_of(exc), **said.get("evidence", {})}
            if self._attempts:
                said["attempts"] = self._attempts
            self._report(said)
        except Exception as own:  # noqa: BLE001  # a fault of ours is not the agent's
            fault("recording a call", own)

    async def __aenter__(self) -> Self:
        return self.__enter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> None:
        self.__exit__(kind, exc, tb)

    def attempt(self) -> "AttemptRecorder":
        """A `with` block around one try; the pause since the last one is its wait."""
        return AttemptRecorder(self, self._clock)

    def result(self, value: Any) -> None:
        """What the tool gave. It is copied when the block ends, shortened and without secrets."""
        self._said["result"] = value

    def saw(
        self,
        *,
        http_status: int | None = None,
        headers: Mapping[str, str] | None = None,
        body: Any = None,
        **more: Any,
    ) -> None:
        """What was seen, raw; the console classifies from it."""
        seen = {"http_status": http_status, "headers": dict(headers or {}) or None, "body": body, **more}
        kept = {name: value for name, value in seen.items() if value is not None}
        self._said["evidence"] = self._said.get("evidence", {}) | kept

    def failed(self, class_: str | None = None, code: str | None = None, **words: Any) -> None:
        """Say what went wrong in the fixed words: class, code, field, constraint, received, hint, message."""
        self._said["outcome"] = "failed"
        failure = {"class": class_, "code": code, **words}
        self._said["failure"] = {name: value for name, value in failure.items() if value is not None}

    def recovered(
        self, by: str, *, rule: str | None = None, action: str | None = None, latency_ms: float = 0.0
    ) -> None:
        """Say who brought the call through."""
        said = {"by": by, "rule": rule, "action": action, "latency_ms": latency_ms}
        self._said["recovery"] = {name: value for name, value in said.items() if value is not None}
        self._said["outcome"] = "recovered"

    def set(self, **fields: Any) -> None:
        """Set any other field of the record."""
        self._said |= fields

    def _conclude(self) -> None:
        """Say the outcome where it is certain; where it is not, the console judges from the evidence."""
        said = self._said
        if not said.keys().isdisjoint(_JUDGED):
            return
        if self._failed_at is not None and len(self._attempts) > 1:
            latency = round((self._clock.monotonic() - self._failed_at) * 1000, 3)
            self.recovered("retry", action="retried", latency_ms=latency)
        elif not _is_nothing(said.get("result")):
            said["outcome"] = "succeeded"

    def _tried(self, attempt: dict[str, Any], *, failed: bool) -> None:
        self._attempts.append(attempt)
        self._tried_at = self._clock.monotonic()
        if failed and self._failed_at is None:
            self._failed_at = self._clock.monotonic()


class AttemptRecorder:
    """One try of a call."""

    def __init__(self, call: Recorder, clock: Clock) -> None:
        self._call = call
        self._clock = clock
        self._said: dict[str, Any] = {}

    def __enter__(self) -> Self:
        before = self._call._attempts  # noqa: SLF001  # the two are one thing in two pieces
        self._began = self._clock.monotonic()
        self._said["n"] = len(before) + 1
        self._said["started_at"] = self._clock.now()
        if (ended := self._call._tried_at) is not None:  # noqa: SLF001
            self._said["wait_ms"] = round(max(0.0, (self._began - ended) * 1000), 3)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> None:
        with quiet("recording an attempt"):
            self._said["duration_ms"] = round((self._clock.monotonic() - self._began) * 1000, 3)
            if exc is not None and (answer := answer_of(exc)) is not None:
                self._said["http_status"] = answer.status
            status = self._said.get("http_status")
            failed = exc is not None or (isinstance(status, int) and status >= 400)
            self._call._tried(self._said, failed=failed)  # noqa: SLF001

    async def __aenter__(self) -> Self:
        return self.__enter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> None:
        self.__exit__(kind, exc, tb)

    def saw(
        self, *, http_status: int | None = None, code: str | None = None, class_: str | None = None
    ) -> None:
        """What this try met."""
        seen = {"http_status": http_status, "code": code, "class": class_}
        self._said |= {name: value for name, value in seen.items() if value is not None}


def evidence_of(exc: BaseException) -> dict[str, Any]:
    """Give what an exception shows: its type and text, and the HTTP answer inside it where there is one."""
    kind = type(exc)
    evidence: dict[str, Any] = {
        "exception": {"type": kind.__name__, "module": kind.__module__, "message": _text(exc)}
    }
    for name in ("errno", "sqlstate"):
        value = getattr(exc, name, None)
        if isinstance(value, str | int) and not isinstance(value, bool):
            evidence["exception"][name] = value
    if (answer := answer_of(exc)) is not None:
        seen = {"http_status": answer.status, "headers": dict(answer.headers) or None, "body": answer.body}
        evidence |= {name: value for name, value in seen.items() if value is not None}
    return evidence


def _is_nothing(value: Any) -> bool:
    """Whether a result says nothing by itself; any other object is something, whatever it thinks of being compared."""
    return value is None or (isinstance(value, str | list | dict | tuple) and not value)


def _text(exc: BaseException) -> str:
    try:
        return str(exc)[:4_000]
    except Exception as fault:  # noqa: BLE001  # somebody's __str__ raises; that it does is all there is to say
        return f"<its text could not be read: {type(fault).__name__}>"
