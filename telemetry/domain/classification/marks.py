"""Words of the evidence that may name a vendor: of the tool, of hosts, of modules, of servers."""

import re
from collections.abc import Mapping
from typing import Any, Protocol

from telemetry.domain.classification.fault import Fault
from telemetry.domain.classification.identifiers import words_of
from telemetry.domain.classification.plain import some

_HOST = re.compile(r"https?://([a-z0-9.-]{3,120})", re.IGNORECASE)
_SPLIT = re.compile(r"[.\-]")
SERVERS = ("server", "via", "x-powered-by")
TELLTALES = ("x-clickhouse-exception-code",)
"""Headers that only one vendor sends; packs have them as marks."""


class Seen(Protocol):
    """What is looked at for a vendor's name."""

    words: tuple[str, ...]
    args: Mapping[str, Any]
    text: str
    body: Any
    headers: dict[str, str]
    fault: Fault | None


def marks(seen: Seen) -> list[str]:
    """Every word that may name a vendor, the tool's own first."""
    found = list(seen.words)
    headers, fault = seen.headers, seen.fault
    hosts = [
        host
        for value in some(seen.args.values(), 20)
        if isinstance(value, str)
        for host in _HOST.findall(value[:300])
    ]
    hosts += _HOST.findall(seen.text[:3_000]) + _HOST.findall(_links(seen.body))
    if fault is not None:
        parts = [fault.module, *fault.types]
        hosts += [*parts, *_HOST.findall(fault.message[:1_000])]
        found += [word for part in parts for word in words_of(part).split()]
    for host in hosts:
        found += [part for part in _SPLIT.split(host.lower()) if len(part) > 1]
    found += [word for name in SERVERS if name in headers for word in words_of(headers[name]).split()]
    found += [name for name in TELLTALES if name in headers]
    return list(dict.fromkeys(found))


def _links(body: object, depth: int = 0) -> str:
    """The links in a small body, for their hosts."""
    if isinstance(body, str):
        return body[:300] if "://" in body[:300] else ""
    if depth > 3:
        return ""
    if isinstance(body, dict):
        return " ".join(_links(inner, depth + 1) for inner in some(body.values(), 30))
    if isinstance(body, list):
        return " ".join(_links(inner, depth + 1) for inner in some(body, 5))
    return ""
