"""From what a tool raised or returned to one of the seven classes.

Small on purpose: types, statuses and declared envelopes only, never words found in a text. The console classifies the
raw evidence again, with all it knows about vendors.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any

from switchboard.failure import FieldError, HttpFailure, ToolError, ToolFailure, as_code
from switchboard.problem import Problem, read_problem
from switchboard.retry_after import retry_after_in, retry_after_s
from switchboard.vocabulary import Effect, Executed, FailureClass

_NOTHING_SENT = frozenset(
    {
        "ConnectionRefusedError",
        "gaierror",
        "ConnectError",
        "ConnectTimeout",
        "PoolTimeout",
        "NewConnectionError",
    }
)
_TIMEOUTS = frozenset({"TimeoutError", "TimeoutException", "Timeout", "ReadTimeout", "WriteTimeout"})
_NETWORK = frozenset(
    {"ConnectionError", "NetworkError", "RemoteProtocolError", "ProtocolError", "ClientConnectionError"}
)
_REFUSED = frozenset(
    {400, 401, 402, 403, 404, 405, 406, 409, 410, 411, 412, 413, 414, 415, 416, 422, 424, 428, 429}
)
_QUOTA_CODES = frozenset(
    {"INSUFFICIENT_QUOTA", "QUOTA_EXCEEDED", "QUOTA_EXHAUSTED", "MONTHLY_LIMIT_EXCEEDED"}
)

_STATUSES: dict[int, tuple[FailureClass, str]] = {
    400: (FailureClass.INVALID_ARGS, "VALIDATION"),
    401: (FailureClass.HARD, "UNAUTHORIZED"),
    402: (FailureClass.HARD, "PAYMENT_REQUIRED"),
    403: (FailureClass.HARD, "FORBIDDEN"),
    404: (FailureClass.HARD, "NOT_FOUND"),
    408: (FailureClass.TRANSIENT, "TIMEOUT"),
    409: (FailureClass.HARD, "CONFLICT"),
    410: (FailureClass.HARD, "GONE"),
    412: (FailureClass.HARD, "PRECONDITION"),
    422: (FailureClass.INVALID_ARGS, "VALIDATION"),
    428: (FailureClass.HARD, "PRECONDITION"),
    429: (FailureClass.TRANSIENT, "RATE_LIMITED"),
    500: (FailureClass.TRANSIENT, "SERVER_ERROR"),
    501: (FailureClass.HARD, "UNSUPPORTED"),
    502: (FailureClass.TRANSIENT, "BAD_GATEWAY"),
    503: (FailureClass.TRANSIENT, "UNAVAILABLE"),
    504: (FailureClass.TRANSIENT, "TIMEOUT"),
}
_OTHER_4XX = (FailureClass.HARD, "REFUSED")
_OTHER_5XX = (FailureClass.HARD, "SERVER_REFUSED")
_TELLING = (
    "retry-after",
    "x-ratelimit",
    "ratelimit",
    "content-type",
    "date",
    "x-request-id",
    "grpc-",
    "x-should-retry",
)
_SOON_S = 60.0  # a quota that comes back within this is a rate
_COUNTED_STATUSES = frozenset({408, 500, 502, 503, 504})


@dataclass(frozen=True, slots=True)
class Answer:
    """The parts of an HTTP answer that matter, whichever library brought it."""

    status: int
    headers: Mapping[str, str]
    body: Any


def classify_exception(exc: BaseException, *, effect: Effect, at: datetime) -> ToolError:
    """What an exception out of a tool means."""
    if isinstance(exc, ToolFailure):
        return replace(exc.error, detail=_shown(exc.__cause__) if exc.__cause__ else None)
    if (answer := _answer_in(exc)) is not None:
        return classify_answer(answer, effect=effect, at=at)
    evidence = {
        "exception": {
            "type": type(exc).__name__,
            "module": type(exc).__module__,
            "message": _words(exc)[:500],
        }
    }
    match _kind_of(type(exc).__mro__):
        case "nothing sent":
            message = "The service could not be reached; nothing was sent."
            return _transient("NETWORK", message, Executed.NO, evidence)
        case "timeout":
            error = _transient("TIMEOUT", "The service did not answer in time.", Executed.UNKNOWN, evidence)
            return ambiguous(error, effect)
        case "network":
            message = "The connection broke before an answer came."
            return ambiguous(_transient("NETWORK", message, Executed.UNKNOWN, evidence), effect)
    return ToolError(
        class_=FailureClass.INTERNAL,
        code="TOOL_CRASH",
        message="The tool's own code failed; your arguments are not the cause.",
        hint="Do not call it again with the same arguments; go on without it or hand over.",
        executed=Executed.NO if effect is Effect.READ else Executed.UNKNOWN,
        detail=_shown(exc),
        evidence=evidence,
    )


def classify_answer(answer: Answer, *, effect: Effect, at: datetime) -> ToolError:
    """What an HTTP answer of 400 or more means. 5xx of a plain write is ambiguous and becomes `unknown_outcome`."""
    said = read_problem(answer.body)
    wait = retry_after_s(answer.headers, at=at)
    if wait is None:
        wait = retry_after_in(answer.body)
    class_, code = _class_of(answer.status, said, wait)
    refused = answer.status in _REFUSED or (answer.status == 503 and wait is not None)
    error = ToolError(
        class_=class_,
        code=code,
        message=said.message or f"The service answered HTTP {answer.status}.",
        field=said.field,
        constraint=said.constraint,
        received=said.received,
        hint=said.hint,
        errors=said.errors,
        executed=Executed.NO if refused or effect is Effect.READ else Executed.UNKNOWN,
        retry_after_s=wait,
        http_status=answer.status,
        evidence={"http_status": answer.status, "headers": _telling(answer.headers), "body": answer.body},
        counts_for_breaker=answer.status in _COUNTED_STATUSES,
    )
    return error if refused else ambiguous(error, effect)


@lru_cache(maxsize=512)
def _kind_of(bases: tuple[type, ...]) -> str:
    """What a library means by raising this type, from the names of its bases: no library has to be imported for it."""
    names = {each.__name__ for each in bases}
    if names & _NOTHING_SENT:
        return "nothing sent"
    if names & _TIMEOUTS:
        return "timeout"
    return "network" if names & _NETWORK else ""


def ambiguous(error: ToolError, effect: Effect) -> ToolError:
    """A plain write that may have landed is an unknown outcome, whatever else the error would have been."""
    if effect is not Effect.WRITE or error.executed is not Executed.UNKNOWN:
        return error
    return replace(
        error,
        class_=FailureClass.UNKNOWN_OUTCOME,
        hint="It may have happened. Do not call it again; check first, or leave it to a person.",
    )


def classify_returned(value: Any) -> ToolError | None:
    """A failure that was returned instead of raised: `isError: true`. `{"error": null}` is a success."""
    if not isinstance(value, dict) or not (value.get("isError") is True or value.get("is_error") is True):
        return None
    said = read_problem(value.get("error") or value.get("structuredContent") or value)
    return ToolError(
        class_=FailureClass.HARD,
        code=as_code(said.code) if said.code else "TOOL_ERROR",
        message=said.message or _text_of(value) or "The tool answered with an error.",
        field=said.field,
        constraint=said.constraint,
        received=said.received,
        hint=said.hint,
        errors=said.errors,
        executed=Executed.UNKNOWN,
        evidence={"body": dict(value)},
    )


def answer_of(exc: BaseException) -> Answer | None:
    """The HTTP answer inside an exception of httpx, requests, aiohttp or our own `raise_for`."""
    if isinstance(exc, HttpFailure):
        return Answer(exc.status, exc.headers, exc.body)
    holder = getattr(exc, "response", None)
    for source in (holder, exc):
        status = getattr(source, "status_code", None) or getattr(source, "status", None)
        if isinstance(status, int) and not isinstance(status, bool) and status >= 400:
            return Answer(status, _headers(source), _body(source))
    return None


def raise_for(response: Any) -> Any:
    """Give the response back when it is a success, else raise what the kit can read. For httpx and requests."""
    status = int(getattr(response, "status_code", None) or getattr(response, "status", None) or 0)
    if status >= 400:
        raise HttpFailure(status, _headers(response), _body(response))
    return response


def _class_of(status: int, said: Problem, wait: float | None) -> tuple[FailureClass, str]:
    class_, code = _STATUSES.get(status) or (_OTHER_4XX if status < 500 else _OTHER_5XX)
    quota = status == 429 and said.code is not None and as_code(said.code) in _QUOTA_CODES
    if quota and (wait is None or wait > _SOON_S):
        return FailureClass.HARD, "QUOTA_EXHAUSTED"
    named = as_code(said.code) if said.code and not said.code.isdigit() else None
    if class_ in {FailureClass.HARD, FailureClass.INVALID_ARGS} and named and status not in {401, 403}:
        return class_, named
    return class_, code


def _transient(code: str, message: str, executed: Executed, evidence: Mapping[str, Any]) -> ToolError:
    return ToolError(
        class_=FailureClass.TRANSIENT,
        code=code,
        message=message,
        executed=executed,
        evidence=evidence,
        counts_for_breaker=True,
    )


def _telling(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers that say something about a failure; cookies and credentials do not travel."""
    return {name: value[:500] for name, value in headers.items() if name.startswith(_TELLING)}


def _headers(source: Any) -> dict[str, str]:
    headers = getattr(source, "headers", None)
    return {str(k).lower(): str(v) for k, v in headers.items()} if isinstance(headers, Mapping) else {}


def _body(source: Any) -> Any:
    read = getattr(source, "json", None)
    if callable(read):
        try:
            return read()
        except (ValueError, RuntimeError):
            pass  # not JSON, or a stream nobody has read: the text is the next best evidence
    try:
        text = getattr(source, "text", None)
    except RuntimeError:
        return None
    return text[:4000] if isinstance(text, str) else None


def _text_of(value: Mapping[str, Any]) -> str:
    content = value.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return " ".join(str(part["text"]) for part in parts if isinstance(part, Mapping) and "text" in part)


def _shown(exc: BaseException) -> str:
    return f"{type(exc).__module__}.{type(exc).__name__}: {_words(exc)}"[:500]


def _words(exc: BaseException) -> str:
    """What an exception says; one that cannot even be printed is a failure like any other."""
    try:
        return str(exc)
    except Exception as worse:  # noqa: BLE001  # its author's `__str__`, whatever it does
        return f"(it cannot be printed: {type(worse).__name__})"


def _answer_in(exc: BaseException) -> Answer | None:
    """The HTTP answer inside, unless reading it fails in its turn."""
    try:
        return answer_of(exc)
    except Exception:  # noqa: BLE001  # a property of its author's; the exception is told without it
        return None


__all__ = [
    "Answer",
    "FieldError",
    "ambiguous",
    "answer_of",
    "classify_answer",
    "classify_exception",
    "raise_for",
]
