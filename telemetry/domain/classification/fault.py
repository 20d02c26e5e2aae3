"""An exception as the readers see it: its types, message, codes and bodies, with what its causes add."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from telemetry.domain.classification.plain import clip, integer, mapping, some

_INNER = (
    *("cause", "__cause__", "context", "inner", "inner_exception", "innerException", "reason", "original"),
    *("error", "exceptions", "errors"),
)
_CODES = (
    *("code", "errno", "sqlstate", "pgcode", "error_code", "errorCode", "codeName", "code_name", "grpc_code"),
    *("number", "errnum", "returncode", "exit_code", "name", "status", "status_code", "statusCode"),
    *("http_status", "vendor_code", "syscall", "reason", "kind", "error_type"),
)
_STATUSES = frozenset({"status", "status_code", "statusCode", "http_status", "code"})
_BODIES = (
    *("body", "response", "details", "data", "json_body", "response_body", "error_data", "responseBody"),
    *("extensions", "info"),
)


STEPS = ("CONN", "connect", "getaddrinfo")
"""Steps of a client before anything is sent."""


@dataclass(slots=True)
class Fault:
    """An exception with what its causes add."""

    types: list[str] = field(default_factory=list)
    module: str = ""
    message: str = ""
    codes: list[str] = field(default_factory=list)
    errno: int | None = None
    status: int | None = None
    details: list[Any] = field(default_factory=list)
    """Bodies that the exception carries."""
    wrote: bool | None = None
    """Whether bytes of the request went out, where the exception counts them."""


def fault_of(value: object) -> Fault:
    """The plain view of what a reporter wrote about an exception."""
    fault = Fault()
    _add(fault, value, 0)
    return fault


def _add(fault: Fault, value: object, depth: int) -> None:
    if isinstance(value, str):
        fault.message = f"{fault.message}\n{clip(value, 4_000)}".strip()
        return
    if not isinstance(value, dict) or depth > 4:
        return
    if kind := clip(value.get("type") or value.get("class") or value.get("name"), 200):
        fault.types.append(kind)
    fault.module = fault.module or clip(value.get("module"), 200)
    if message := clip(value.get("message") or value.get("msg") or value.get("args"), 4_000):
        fault.message = f"{fault.message}\n{message}".strip()
    _add_codes(fault, value)
    fault.details += [
        inner for name in _BODIES if isinstance(inner := value.get(name), dict | list | str) and inner
    ]
    for name in _INNER:
        inner = value.get(name)
        for one in some(inner, 5) if isinstance(inner, list | tuple) else [inner]:
            if isinstance(one, dict):
                _add(fault, one, depth + 1)


def _add_codes(fault: Fault, value: Mapping[str, Any]) -> None:
    for name in _CODES:
        inner = value.get(name)
        if code := clip(inner, 120):
            fault.codes.append(code)
        status = integer(inner) if name in _STATUSES else None
        if status is not None and 400 <= status <= 599:
            fault.status = status
    if (errno := integer(value.get("errno"))) is not None:
        fault.errno = errno
    socket = mapping(value.get("socket")) or value
    written = integer(socket.get("bytesWritten", socket.get("bytes_written", socket.get("bytes_sent"))))
    if written is not None:
        fault.wrote = written > 0
    elif value.get("command") in STEPS or value.get("syscall") in STEPS:
        fault.wrote = False
