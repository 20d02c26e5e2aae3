"""How a call ended, as far as its span and the spans around it say; the rest is for the classifier."""

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from telemetry.domain.otlp.reading import Reading
from telemetry.domain.otlp.spans import Span
from telemetry.vocabulary import FailureClass, Outcome

# Interrupts that frameworks raise to wait for a person: they are no failures.
DEFERRALS = frozenset({
    "GraphInterrupt", "NodeInterrupt", "Interrupt", "Command", "ParentCommand", "CallDeferred", "ApprovalRequired",
    "InputRequired", "InputRequiredResult", "ToolApprovalRequired",
})  # fmt: skip
_ARGUMENTS = re.compile(
    r"fix your mistakes|fix the error and try again|validation error|invalid (?:arguments|parameters|input)|"
    r"is not a valid tool",
    re.IGNORECASE,
)
# "Error running tool (non-fatal): {'tool_name': 'pay', 'error': 'card declined'}": OpenAI Agents, written by Python
_AGENTS = re.compile(r"^Error running tool[^:{]*: (\{.{1,20000}\})$", re.DOTALL)
# What that SDK tells the model of any error: as words about the error they would mislead.
_SAID_OF_ALL = re.compile(
    r"^An error occurred while (?:running the tool|(parsing tool arguments))\. Please try again(?: with valid JSON)?\.?"
    r"(?: Error: )?"
)
# The attributes that anything below looks at.
_TELLING = frozenset({
    "error.type", "toolcall.failure_class", "pydantic_ai.tool.deferral.name", "pydantic_ai.tool.failure_stage",
    "pydantic_ai.tool.retry.cause", "http.response.status_code", "http.status_code", "rpc.response.status_code",
    "rpc.grpc.status_code", "rpc.jsonrpc.error_code", "jsonrpc.error.code",
})  # fmt: skip
_TRACEBACK = "Traceback (most recent call last)"


def ending(read: Reading, below: Sequence[Span], message: Span | None, *, waits: bool) -> dict[str, Any]:
    """Say how it ended. `message`: the one of MCP beneath it that failed it. `waits`: the run stopped at it."""
    span = read.span
    if not waits and not below and _is_plain(read):
        return {}
    exception = _exception(span)
    if waits or _deferred(span, exception):
        return {"outcome": str(Outcome.DEFERRED)}
    evidence = _evidence(span, below, exception)
    if span.failed and read.has_result and "body" not in evidence:
        evidence |= _as_body(read.result)
    if read.refused is not None:
        evidence["body"] = _tool_error(read.refused)
    failure = _failure(read, exception)
    if not span.failed and not evidence and not failure:
        return {} if message is None else failed_transport(message)
    ended = {"evidence": evidence} if evidence else {}
    return {**ended, "failure": failure} if failure else ended


def _is_plain(read: Reading) -> bool:
    """Say whether nothing is known against a call, by a look at the names alone: nearly every span is such a one."""
    span = read.span
    if span.failed or span.events or read.refused is not None or isinstance(read.result, str):
        return False
    return _TELLING.isdisjoint(span.attributes) and _TELLING.isdisjoint(span.resource)


def _as_body(result: Any) -> dict[str, Any]:
    """Give what a failed call answered, as evidence."""
    body = _SAID_OF_ALL.sub("", result).strip() if isinstance(result, str) else result
    return {} if body is None or body == "" else {"body": body}


def _deferred(span: Span, exception: Mapping[str, Any] | None) -> bool:
    named = exception["type"].rsplit(".", 1)[-1] if exception else ""
    return bool(span.get("pydantic_ai.tool.deferral.name")) or named in DEFERRALS


def _failure(read: Reading, exception: Any) -> dict[str, Any]:
    span, failure = read.span, dict[str, Any]()
    given = span.get("toolcall.failure_class")
    if isinstance(given, str) and given in set(FailureClass):
        failure["class"] = given
    elif _arguments_refused(read):
        failure |= {"class": str(FailureClass.INVALID_ARGS), **_first_wrong(read.result)}
    if read.refused is not None:
        failure["message"] = read.refused
    elif span.failed and not failure and exception is None:
        failure = _unsaid(span) or {"message": _said(span)}
    return failure


def _arguments_refused(read: Reading) -> bool:
    """Say whether it was the model's arguments: it is told what to change, and asked again."""
    span = read.span
    if span.get("pydantic_ai.tool.failure_stage") == "validation":
        return True
    if span.get("pydantic_ai.tool.retry.cause") in {"model_retry", "validation_error"}:
        return True
    text = read.refused if read.refused is not None else read.result
    if isinstance(text, str) and (said := _SAID_OF_ALL.match(text)) and said[1]:
        return True
    return isinstance(text, str) and text.lower().startswith("error") and bool(_ARGUMENTS.search(text))


def _first_wrong(result: Any) -> dict[str, Any]:
    """Give the first argument that pydantic found wrong, where a failed call answers with its list."""
    first = result[0] if isinstance(result, list) and result else None
    if not isinstance(first, Mapping) or not isinstance(first.get("loc"), list) or "msg" not in first:
        return {}
    where = ".".join(str(part) for part in first["loc"])
    wrong = {"field": where[:200], "constraint": str(first["msg"])[:400], "received": first.get("input")}
    return {name: value for name, value in wrong.items() if value is not None and value != ""}


def _said(span: Span) -> str:
    """Give a failed span's own words, without the list of files behind them."""
    message = span.status_message.partition(_TRACEBACK)[0].strip()
    if written := _AGENTS.match(message):
        try:
            told = ast.literal_eval(written[1])
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            told = None
        if isinstance(told, Mapping) and isinstance(told.get("error"), str):
            message = told["error"]
    return message or str(span.get("error.type") or "the span has status error")


def failed_transport(span: Span) -> dict[str, Any]:
    """Give the failure of a call that only a message beneath it tells: the answer may say that it is an error."""
    told = {"evidence": _evidence(span, (), _exception(span)), "failure": _unsaid(span)}
    return {name: value for name, value in told.items() if value} or {"failure": {"message": _said(span)}}


def _unsaid(span: Span) -> dict[str, Any]:
    """Give the failure of an answer that is an error: MCP's own spans do not carry its words."""
    if span.get("error.type") != "tool_error" or span.status_message:
        return {}
    said = "The server's answer says that it is an error."
    return {"class": str(FailureClass.HARD), "code": "TOOL_ERROR", "message": said}


def _tool_error(text: str) -> dict[str, Any]:
    return {"isError": True, "content": [{"type": "text", "text": text}]}


def _evidence(span: Span, below: Iterable[Span], exception: dict[str, Any] | None) -> dict[str, Any]:
    status = span.get("http.response.status_code", "http.status_code", "rpc.response.status_code")
    if status is None:
        spoken = [child.get("http.response.status_code", "http.status_code") for child in below]
        status = next((one for one in reversed(spoken) if one is not None), None)
    evidence: dict[str, Any] = {}
    if isinstance(status, int) and not isinstance(status, bool) and 100 <= status <= 599:
        evidence["http_status"] = status
    grpc = span.get("rpc.grpc.status_code")
    if isinstance(grpc, int | str):
        evidence["grpc_status"] = grpc
    if span.get("error.type") == "tool_error" and span.status_message:
        evidence["body"] = _tool_error(span.status_message)
    code = _json_rpc_code(span, status)
    if isinstance(code, int):
        evidence["body"] = {"jsonrpc": "2.0", "error": {"code": code, "message": span.status_message}}
    if exception:
        evidence["exception"] = exception
    return evidence


def _json_rpc_code(span: Span, status: Any) -> Any:
    code = span.get("rpc.jsonrpc.error_code", "jsonrpc.error.code")
    if code is None and isinstance(status, int) and status < 0:
        return status
    if code is None and re.fullmatch(r"-32\d{3}", str(span.get("error.type") or "")):
        return int(str(span.get("error.type")))
    return code


def _exception(span: Span) -> dict[str, Any] | None:
    for event in reversed(span.events):
        if event.name == "exception":
            return _seen(event.attributes.get("exception.type"), event.attributes.get("exception.message"))
    kind = span.get("error.type")
    if (
        span.failed
        and isinstance(kind, str)
        and re.search(r"(?:Error|Exception|Timeout|Interrupt)\w*$", kind)
    ):
        return _seen(kind, span.status_message)
    return None


def _seen(kind: Any, message: Any) -> dict[str, Any]:
    module, _, name = str(kind or "Exception").rpartition(".")
    seen = {
        "type": name[:400] or "Exception",
        "module": module[:400] or None,
        "message": None if message is None else str(message),
    }
    return {key: value for key, value in seen.items() if value is not None}
