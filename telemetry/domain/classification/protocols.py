"""Codes of protocols: gRPC, JSON-RPC, SQLSTATE, errno. Sources: grpc.io status codes, JSON-RPC 2.0, MCP, ISO 9075, POSIX."""

from telemetry.domain.classification.causes import Cause, Finding
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
    -32002: (Cause.NOT_FOUND, 70),
    -32003: (Cause.REFUSED, 55),
    -32004: (Cause.UNSUPPORTED, 55),
    -32005: (Cause.RATE_LIMITED, 70),
    -32010: (Cause.RATE_LIMITED, 50),
    -32800: (Cause.TIMEOUT, 55),
    -32801: (Cause.CONFLICT, 60),
}
"""-32001 is the MCP SDKs' request timeout, -32002 MCP's missing resource, -32005 Ethereum's limit, -328xx LSP."""


def read_json_rpc(code: object) -> Finding | None:
    """A JSON-RPC error code."""
    number = integer(code)
    if number is None or not -33000 <= number <= -32000:
        return None
    cause, weight = JSON_RPC.get(number, (Cause.SERVER_ERROR, 45))
    return Finding(cause, weight, f"jsonrpc/{number}")


SQLSTATE: dict[str, Cause] = {
    "02000": Cause.NO_RESULTS,
    "08001": Cause.NETWORK_UNSENT,
    "08003": Cause.NETWORK_UNSENT,
    "08004": Cause.UNAUTHORIZED,
    "08007": Cause.UNKNOWN,
    "0A000": Cause.UNSUPPORTED,
    "22000": Cause.VALIDATION,
    "23001": Cause.PRECONDITION,
    "23502": Cause.VALIDATION,
    "23503": Cause.PRECONDITION,
    "23505": Cause.CONFLICT,
    "23514": Cause.VALIDATION,
    "23P01": Cause.CONFLICT,
    "23000": Cause.CONFLICT,
    "25006": Cause.REFUSED,
    "25P02": Cause.PRECONDITION,
    "25P03": Cause.BUSY,
    "28000": Cause.UNAUTHORIZED,
    "28P01": Cause.UNAUTHORIZED,
    "2BP01": Cause.PRECONDITION,
    "3D000": Cause.NOT_FOUND,
    "3F000": Cause.NOT_FOUND,
    "40001": Cause.CONTENTION,
    "40002": Cause.CONTENTION,
    "40003": Cause.UNKNOWN,
    "40P01": Cause.CONTENTION,
    "40000": Cause.CONTENTION,
    "42501": Cause.FORBIDDEN,
    "42710": Cause.CONFLICT,
    "42P04": Cause.CONFLICT,
    "42P06": Cause.CONFLICT,
    "42P07": Cause.CONFLICT,
    "42S01": Cause.CONFLICT,
    "42000": Cause.VALIDATION,
    "44000": Cause.VALIDATION,
    "53100": Cause.STORAGE_FULL,
    "53200": Cause.BUSY,
    "53300": Cause.BUSY,
    "53400": Cause.BUSY,
    "53000": Cause.BUSY,
    "55006": Cause.CONTENTION,
    "55P03": Cause.CONTENTION,
    "55000": Cause.PRECONDITION,
    "57014": Cause.TIMEOUT_UNSENT,
    "57P01": Cause.BUSY,
    "57P02": Cause.NETWORK,
    "57P03": Cause.BUSY,
    "57P05": Cause.BUSY,
    "58030": Cause.SERVER_ERROR,
    "P0001": Cause.PRECONDITION,
    "P0002": Cause.NO_RESULTS,
    "HYT00": Cause.TIMEOUT,
    "HYT01": Cause.TIMEOUT_UNSENT,
    "01000": Cause.SERVER_ERROR,
    "57000": Cause.BUSY,
    "51000": Cause.PRECONDITION,
    "HY000": Cause.SERVER_ERROR,
}
SQLSTATE_CLASSES: dict[str, Cause] = {
    "08": Cause.NETWORK,
    "0A": Cause.UNSUPPORTED,
    "20": Cause.VALIDATION,
    "21": Cause.VALIDATION,
    "22": Cause.VALIDATION,
    "23": Cause.CONFLICT,
    "24": Cause.PRECONDITION,
    "25": Cause.PRECONDITION,
    "26": Cause.VALIDATION,
    "28": Cause.UNAUTHORIZED,
    "2B": Cause.PRECONDITION,
    "34": Cause.VALIDATION,
    "3D": Cause.NOT_FOUND,
    "3F": Cause.NOT_FOUND,
    "40": Cause.CONTENTION,
    "42": Cause.VALIDATION,
    "44": Cause.VALIDATION,
    "53": Cause.BUSY,
    "54": Cause.VALIDATION,
    "55": Cause.PRECONDITION,
    "57": Cause.BUSY,
    "58": Cause.SERVER_ERROR,
    "P0": Cause.PRECONDITION,
    "XX": Cause.SERVER_ERROR,
    "F0": Cause.SERVER_ERROR,
    "HV": Cause.SERVER_ERROR,
    "72": Cause.BUSY,
    "S0": Cause.VALIDATION,
}
_VAGUE_STATES = frozenset({"HY000", "42000", "01000", "22000", "XX000", "58000", "P0001", "57000", "23000"})


def read_sqlstate(code: str) -> Finding | None:
    """A five-character SQLSTATE by itself or by its class."""
    state = code.upper()
    if (
        len(state) != 5
        or not state.isalnum()
        or state[:2] not in SQLSTATE_CLASSES | {"HY": 0, "02": 0, "01": 0, "51": 0, "2F": 0}
    ):
        return None
    cause = SQLSTATE.get(state) or SQLSTATE_CLASSES.get(state[:2])
    if cause is None:
        return None
    return Finding(cause, 58 if state in _VAGUE_STATES else 92, f"sqlstate/{state}")


ERRNO: dict[str, Cause] = {
    "ECONNREFUSED": Cause.NETWORK_UNSENT,
    "ENOTFOUND": Cause.NETWORK_UNSENT,
    "EAI_AGAIN": Cause.NETWORK_UNSENT,
    "EAI_NONAME": Cause.NETWORK_UNSENT,
    "EAI_NODATA": Cause.NETWORK_UNSENT,
    "EHOSTUNREACH": Cause.NETWORK_UNSENT,
    "ENETUNREACH": Cause.NETWORK_UNSENT,
    "EHOSTDOWN": Cause.NETWORK_UNSENT,
    "ENETDOWN": Cause.NETWORK_UNSENT,
    "EADDRNOTAVAIL": Cause.NETWORK_UNSENT,
    "UND_ERR_CONNECT_TIMEOUT": Cause.TIMEOUT_UNSENT,
    "ECONNRESET": Cause.NETWORK,
    "EPIPE": Cause.NETWORK,
    "UND_ERR_SOCKET": Cause.NETWORK,
    "ERR_NETWORK": Cause.NETWORK,
    "ERR_STREAM_PREMATURE_CLOSE": Cause.NETWORK,
    "ERR_HTTP2_STREAM_ERROR": Cause.NETWORK,
    "ECONNABORTED": Cause.TIMEOUT,
    "ETIMEDOUT": Cause.TIMEOUT,
    "ESOCKETTIMEDOUT": Cause.TIMEOUT,
    "ETIME": Cause.TIMEOUT,
    "UND_ERR_HEADERS_TIMEOUT": Cause.TIMEOUT,
    "UND_ERR_BODY_TIMEOUT": Cause.TIMEOUT,
    "ABORT_ERR": Cause.TIMEOUT,
    "ERR_CANCELED": Cause.TIMEOUT,
    "UND_ERR_ABORTED": Cause.TIMEOUT,
    "UND_ERR_REQ_RETRY": Cause.UNAVAILABLE,
    "UND_ERR_RESPONSE_STATUS_CODE": Cause.SERVER_ERROR,
    "ENOENT": Cause.NOT_FOUND,
    "ESRCH": Cause.NOT_FOUND,
    "ENODEV": Cause.NOT_FOUND,
    "ENXIO": Cause.NOT_FOUND,
    "EACCES": Cause.FORBIDDEN,
    "EPERM": Cause.FORBIDDEN,
    "EEXIST": Cause.CONFLICT,
    "ENOTEMPTY": Cause.PRECONDITION,
    "EISDIR": Cause.VALIDATION,
    "ENOTDIR": Cause.VALIDATION,
    "EINVAL": Cause.VALIDATION,
    "ENAMETOOLONG": Cause.VALIDATION,
    "E2BIG": Cause.VALIDATION,
    "EFBIG": Cause.STORAGE_FULL,
    "EMFILE": Cause.BUSY,
    "ENFILE": Cause.BUSY,
    "EAGAIN": Cause.BUSY,
    "EWOULDBLOCK": Cause.BUSY,
    "ENOMEM": Cause.BUSY,
    "EBUSY": Cause.CONTENTION,
    "ETXTBSY": Cause.CONTENTION,
    "EDEADLK": Cause.CONTENTION,
    "ENOLCK": Cause.CONTENTION,
    "ENOSPC": Cause.STORAGE_FULL,
    "EDQUOT": Cause.STORAGE_FULL,
    "EROFS": Cause.REFUSED,
    "EXDEV": Cause.UNSUPPORTED,
    "ENOTSUP": Cause.UNSUPPORTED,
    "EOPNOTSUPP": Cause.UNSUPPORTED,
    "ENOSYS": Cause.UNSUPPORTED,
    "EADDRINUSE": Cause.CONFLICT,
    "EIO": Cause.SERVER_ERROR,
    "EPROTO": Cause.NETWORK_UNSENT,
    "ELOOP": Cause.VALIDATION,
    "ESTALE": Cause.BUSY,
    "CERT_HAS_EXPIRED": Cause.REFUSED,
    "DEPTH_ZERO_SELF_SIGNED_CERT": Cause.REFUSED,
    "SELF_SIGNED_CERT_IN_CHAIN": Cause.REFUSED,
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE": Cause.REFUSED,
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY": Cause.REFUSED,
    "ERR_TLS_CERT_ALTNAME_INVALID": Cause.REFUSED,
    "CERT_NOT_YET_VALID": Cause.REFUSED,
    "CERT_REVOKED": Cause.REFUSED,
    "ERR_SSL_WRONG_VERSION_NUMBER": Cause.NETWORK_UNSENT,
    "ERR_INVALID_URL": Cause.VALIDATION,
    "ERR_INVALID_PROTOCOL": Cause.VALIDATION,
    "ERR_UNESCAPED_CHARACTERS": Cause.VALIDATION,
    "ERR_FR_TOO_MANY_REDIRECTS": Cause.REFUSED,
    "MODULE_NOT_FOUND": Cause.CRASH,
    "ERR_MODULE_NOT_FOUND": Cause.CRASH,
    "ERR_UNHANDLED_REJECTION": Cause.CRASH,
    "ERR_ASSERTION": Cause.CRASH,
    "ERR_BUFFER_OUT_OF_BOUNDS": Cause.CRASH,
    "ERR_UNSUPPORTED_ESM_URL_SCHEME": Cause.CRASH,
    "HPE_INVALID_CONSTANT": Cause.NETWORK,
    "HPE_INVALID_HEADER_TOKEN": Cause.NETWORK,
}
"""Names of errno and of Node's own codes; texts that start with one (`EROFS: read-only file system`) are read too."""

ERRNO_NUMBERS: dict[int, str] = {
    1: "EPERM",
    2: "ENOENT",
    5: "EIO",
    11: "EAGAIN",
    12: "ENOMEM",
    13: "EACCES",
    16: "EBUSY",
    17: "EEXIST",
    18: "EXDEV",
    20: "ENOTDIR",
    21: "EISDIR",
    22: "EINVAL",
    23: "ENFILE",
    24: "EMFILE",
    26: "ETXTBSY",
    27: "EFBIG",
    28: "ENOSPC",
    30: "EROFS",
    32: "EPIPE",
    36: "ENAMETOOLONG",
    39: "ENOTEMPTY",
    98: "EADDRINUSE",
    99: "EADDRNOTAVAIL",
    100: "ENETDOWN",
    101: "ENETUNREACH",
    103: "ECONNABORTED",
    104: "ECONNRESET",
    110: "ETIMEDOUT",
    111: "ECONNREFUSED",
    112: "EHOSTDOWN",
    113: "EHOSTUNREACH",
    122: "EDQUOT",
    -2: "EAI_NONAME",
    -3: "EAI_AGAIN",
    -5: "EAI_NODATA",
    10013: "EACCES",
    10048: "EADDRINUSE",
    10051: "ENETUNREACH",
    10053: "ECONNRESET",
    10054: "ECONNRESET",
    10060: "ETIMEDOUT",
    10061: "ECONNREFUSED",
    10065: "EHOSTUNREACH",
    11001: "ENOTFOUND",
    11002: "EAI_AGAIN",
    54: "ECONNRESET",
    61: "ECONNREFUSED",
}
"""Linux numbers, getaddrinfo's negative ones, Winsock's, and macOS' two that collide with nothing here."""


def read_errno(name: str) -> Finding | None:
    """An errno by its name."""
    cause = ERRNO.get(name)
    return Finding(cause, 89, f"errno/{name}") if cause else None
