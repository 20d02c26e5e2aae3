"""The evidence made plain once, so that every reader sees the same: parsed body, lower-case headers, clipped texts."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from telemetry.domain.classification import markup
from telemetry.domain.classification.evidence import Evidence
from telemetry.domain.classification.packs import marked
from telemetry.domain.classification.plain import MISSING, clip, integer, json_in, mapping, some
from telemetry.domain.classification.words import words_of
from telemetry.vocabulary import SideEffect

_HOST = re.compile(r"https?://([a-z0-9.-]{3,120})", re.IGNORECASE)
_SPLIT = re.compile(r"[.\-]")


@dataclass(slots=True)
class Fault:
    """An exception with what its causes add."""

    types: list[str] = field(default_factory=list)
    module: str = ""
    message: str = ""
    codes: list[str] = field(default_factory=list)
    status: int | None = None
    details: list[Any] = field(default_factory=list)
    """Bodies that the exception carries."""
    wrote: bool | None = None
    """Whether bytes of the request went out, where the exception counts them."""


@dataclass(slots=True)
class Sight:
    """One call as the readers see it."""

    evidence: Evidence
    tool: str
    words: tuple[str, ...]
    """The words of the tool's name."""
    side_effect: str
    args: Mapping[str, Any]
    status: int | None
    headers: dict[str, str]
    body: Any
    """Parsed JSON or XML; MISSING where there is none."""
    text: str
    """The body as text where it is no JSON."""
    html: bool
    fault: Fault | None
    exit_code: int | None
    stderr: str
    stdout: str
    claims: bool | None = None
    """What the envelope says of itself: it failed (True), it worked (False), or nothing."""
    spoken: str = ""
    """The text of an envelope that failed, without the envelope."""
    _packs: tuple[str, ...] | None = None

    @property
    def reads(self) -> bool:
        """True where the call changes nothing."""
        return self.side_effect == SideEffect.READ

    @property
    def packs(self) -> tuple[str, ...]:
        """Names of the vendors' packs that the evidence points to; found once, when a failure asks for them."""
        if self._packs is None:
            self._packs = marked(_marks(self))
        return self._packs


def look(evidence: Evidence) -> Sight:
    """The plain view of the evidence."""
    tool = clip(evidence.tool, 200)
    side_effect = evidence.side_effect if evidence.side_effect in _SIDE_EFFECTS else SideEffect.READ
    body, text, html = _body(evidence.body)
    return Sight(
        evidence=evidence,
        tool=tool,
        words=_tool_words(tool),
        side_effect=side_effect,
        args=mapping(evidence.args) or {},
        status=_status(evidence.http_status),
        headers=_headers(evidence.headers) if evidence.headers else {},
        body=body,
        text=text,
        html=html,
        fault=_fault(evidence.exception) if evidence.exception else None,
        exit_code=integer(evidence.exit_code),
        stderr=clip(evidence.stderr),
        stdout=clip(evidence.stdout),
    )


_SIDE_EFFECTS = frozenset(SideEffect)


@lru_cache(maxsize=1024)
def _tool_words(tool: str) -> tuple[str, ...]:
    return tuple(words_of(tool).split())


def _status(value: object) -> int | None:
    status = integer(value)
    return status if status is not None and 100 <= status <= 999 else None


def _headers(value: object) -> dict[str, str]:
    pairs: list[Any] = []
    if isinstance(value, dict):
        pairs = some(value.items())
    elif isinstance(value, list | tuple):
        pairs = [pair for pair in some(value) if isinstance(pair, list | tuple) and len(pair) == 2]
    headers = {}
    for name, content in pairs:
        if isinstance(name, str):
            first = content[0] if isinstance(content, list | tuple) and content else content
            headers[name[:100].lower()] = clip(first, 1_000)
    return headers


def _body(value: object) -> tuple[Any, str, bool]:
    """(parsed value or MISSING, text, whether it is a web page)."""
    if isinstance(value, bytes | bytearray):
        value = clip(value, 60_000)
    if not isinstance(value, str):
        return value, "", False
    parsed = json_in(value)
    if isinstance(parsed, dict | list) or parsed is None:
        return parsed, value, False
    if "<" in value[:200]:
        if markup.is_html(value):
            return MISSING, value, True
        if markup.is_xml(value) and (nested := markup.xml_value(value)):
            return nested, value, False
    return MISSING, value, False


def _fault(value: object) -> Fault:
    fault = Fault()
    _add_fault(fault, value, 0)
    return fault


_INNER = (
    "cause",
    "__cause__",
    "context",
    "inner",
    "inner_exception",
    "innerException",
    "reason",
    "original",
    "error",
    "exceptions",
    "errors",
)
_CODES = (
    "code",
    "errno",
    "sqlstate",
    "pgcode",
    "error_code",
    "errorCode",
    "codeName",
    "code_name",
    "grpc_code",
    "number",
    "errnum",
    "returncode",
    "exit_code",
    "name",
    "status",
    "status_code",
    "statusCode",
    "http_status",
    "vendor_code",
    "syscall",
    "reason",
    "kind",
    "error_type",
)
_BODIES = (
    "body",
    "response",
    "details",
    "data",
    "json_body",
    "response_body",
    "error_data",
    "responseBody",
    "extensions",
    "info",
)


def _add_fault(fault: Fault, value: object, depth: int) -> None:
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
    for name in _CODES:
        inner = value.get(name)
        if code := clip(inner, 120):
            fault.codes.append(code)
        if (
            name in {"status", "status_code", "statusCode", "http_status", "code"}
            and (status := integer(inner))
            and 400 <= status <= 599
        ):
            fault.status = status
    fault.details += [
        inner for name in _BODIES if isinstance(inner := value.get(name), Mapping | list | str) and inner
    ]
    socket = mapping(value.get("socket")) or value
    written = integer(socket.get("bytesWritten", socket.get("bytes_written", socket.get("bytes_sent"))))
    if written is not None:
        fault.wrote = written > 0
    for name in _INNER:
        inner = value.get(name)
        if isinstance(inner, dict):
            _add_fault(fault, inner, depth + 1)
        elif isinstance(inner, list | tuple):
            for one in some(inner, 5):
                _add_fault(fault, one, depth + 1)


def _marks(sight: Sight) -> list[str]:
    """Words that may name a vendor: of the tool, of hosts in arguments and answers, of the exception's module."""
    found = list(sight.words)
    hosts = [
        host
        for value in some(sight.args.values(), 20)
        if isinstance(value, str)
        for host in _HOST.findall(value[:300])
    ]
    hosts += _HOST.findall(sight.text[:3_000]) + _HOST.findall(_strings(sight.body))
    if sight.fault:
        hosts += [sight.fault.module, *sight.fault.types]
        found += [
            word for part in (sight.fault.module, *sight.fault.types) for word in words_of(part).split()
        ]
        hosts += _HOST.findall(sight.fault.message[:1_000])
    for host in hosts:
        found += [part for part in _SPLIT.split(host.lower()) if len(part) > 1]
    found += [
        word
        for name in ("server", "via", "x-powered-by")
        for word in words_of(sight.headers.get(name, "")).split()
    ]
    found += [name for name in some(sight.headers, 40) if name.startswith("x-") and name in HEADER_MARKS]
    return list(dict.fromkeys(found))


def _strings(body: object, depth: int = 0) -> str:
    """The links of a small body, for their hosts."""
    if isinstance(body, str):
        return body[:300] if "://" in body[:300] else ""
    if depth > 3:
        return ""
    if isinstance(body, dict):
        return " ".join(_strings(inner, depth + 1) for inner in some(body.values(), 30))
    if isinstance(body, list):
        return " ".join(_strings(inner, depth + 1) for inner in some(body, 5))
    return ""


HEADER_MARKS = frozenset(
    {"x-amzn-requestid", "x-amz-request-id", "x-clickhouse-exception-code", "x-tt-logid", "x-shopify-stage"}
)
