"""Codes of protocols: gRPC, JSON-RPC, SQLSTATE, errno. Sources: grpc.io status codes, JSON-RPC 2.0, MCP, ISO 9075, POSIX."""

from telemetry.domain.classification.causes import Cause
from telemetry.domain.classification.findings import Finding
from telemetry.domain.classification.knowledge import table
from telemetry.domain.classification.plain import integer

GRPC: dict[str, tuple[int, Cause, int]] = {
    "cancelled": (1, Cause.TIMEOUT, 55),
    "unknown": (2, Cause.SERVER_ERROR, 50),
    "invalid_argument": (3, Cause.VALIDATION, 64),
    "deadline_exceeded": (4, Cause.TIMEOUT, 78),
    "not_found": (5, Cause.NOT_FOUND, 67),
    "already_exists": (6, Cause.CONFLICT, 72),
    "permission_denied": (7, Cause.FORBIDDEN, 72),
    "resource_exhausted": (8, Cause.RATE_LIMITED, 60),
    "failed_precondition": (9, Cause.PRECONDITION, 68),
    "aborted": (10, Cause.CONTENTION, 70),
    "out_of_range": (11, Cause.VALIDATION, 66),
    "unimplemented": (12, Cause.UNSUPPORTED, 74),
    "internal": (13, Cause.SERVER_ERROR, 55),
    "unavailable": (14, Cause.BUSY, 70),
    "data_loss": (15, Cause.REFUSED, 60),
    "unauthenticated": (16, Cause.UNAUTHORIZED, 78),
}
_GRPC_BY_NUMBER = {number: name for name, (number, _, _) in GRPC.items()}
_GRPC_BY_SQUASHED = {name.replace("_", ""): name for name in GRPC} | {"canceled": "cancelled"}


def read_grpc(status: object) -> Finding | None:
    """A gRPC status by number, name or enum text (`StatusCode.UNAVAILABLE`, `DeadlineExceeded`)."""
    number = integer(status)
    if number is None and isinstance(status, str):
        squashed = status[:60].rsplit(".", 1)[-1].replace("_", "").replace(" ", "").lower()
        name = _GRPC_BY_SQUASHED.get(squashed)
    else:
        name = _GRPC_BY_NUMBER.get(number if number is not None else -1)
    if name is None:
        return None
    _, cause, weight = GRPC[name]
    return Finding(cause, weight, f"grpc/{name.upper()}")


JSON_RPC: dict[int, tuple[Cause, int]] = {
    -32700: (Cause.VALIDATION, 60),
    -32600: (Cause.VALIDATION, 60),
    -32601: (Cause.UNSUPPORTED, 90),
    -32602: (Cause.VALIDATION, 65),
    -32603: (Cause.SERVER_ERROR, 55),
    -32000: (Cause.SERVER_ERROR, 45),
    -32001: (Cause.TIMEOUT, 62),
    -32002: (Cause.NOT_FOUND, 66),
    -32003: (Cause.REFUSED, 55),
    -32004: (Cause.UNSUPPORTED, 55),
    -32005: (Cause.RATE_LIMITED, 70),
    -32010: (Cause.RATE_LIMITED, 50),
    -32800: (Cause.TIMEOUT, 55),
    -32801: (Cause.CONTENTION, 72),
    -32802: (Cause.BUSY, 60),
}
"""-32001 is the MCP SDKs' request timeout, -32002 MCP's missing resource, -32005 Ethereum's limit, -328xx LSP."""


def read_json_rpc(code: object) -> Finding | None:
    """A JSON-RPC error code."""
    number = integer(code)
    if number is None or not -33000 <= number <= -32000:
        return None
    cause, weight = JSON_RPC.get(number, (Cause.SERVER_ERROR, 45))
    return Finding(cause, weight, f"jsonrpc/{number}")


_TABLE = table("protocols.toml")


def _by_code(section: str) -> dict[str, Cause]:
    return {code: Cause(cause) for cause, codes in _TABLE[section].items() for code in codes.split()}


SQLSTATE = _by_code("sqlstate")
SQLSTATE_CLASSES = _by_code("sqlstate_classes")
_VAGUE_STATES = frozenset({"HY000", "42000", "01000", "22000", "XX000", "58000", "P0001", "57000", "23000"})


def read_sqlstate(code: str) -> Finding | None:
    """A five-character SQLSTATE by itself or by its class."""
    state = code.upper()
    if (
        len(state) != 5
        or not state.isalnum()
        or state[:2] not in SQLSTATE_CLASSES.keys() | {"HY", "02", "01", "51", "2F"}
    ):
        return None
    cause = SQLSTATE.get(state) or SQLSTATE_CLASSES.get(state[:2])
    if cause is None:
        return None
    return Finding(cause, 58 if state in _VAGUE_STATES else 92, f"sqlstate/{state}")


ERRNO = _by_code("errno")
"""Names of errno and of Node's own codes; texts that start with one (`EROFS: read-only file system`) are read too."""
ERRNO_NUMBERS = {
    int(number): name for name, numbers in _TABLE["errno_numbers"].items() for number in numbers.split()
}
"""Linux numbers, getaddrinfo's negative ones, Winsock's, and macOS' two that collide with nothing here."""


def read_errno(name: str) -> Finding | None:
    """An errno by its name."""
    cause = ERRNO.get(name)
    return Finding(cause, 89, f"errno/{name}") if cause else None
