"""The evidence made plain once, so that every reader sees the same: parsed body, lower-case headers, clipped texts."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl

from telemetry.domain.classification import markup
from telemetry.domain.classification.bounds import bounded
from telemetry.domain.classification.evidence import Evidence
from telemetry.domain.classification.fault import Fault, fault_of
from telemetry.domain.classification.identifiers import words_of
from telemetry.domain.classification.marks import marks
from telemetry.domain.classification.packs import marked
from telemetry.domain.classification.plain import MISSING, clip, integer, json_lines, mapping, parsed, some
from telemetry.vocabulary import SideEffect


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
    cut: bool = False
    """True where the body is so big that only its beginning is read."""
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
            self._packs = marked(marks(self))
        return self._packs


def look(evidence: Evidence) -> Sight:
    """The plain view of the evidence."""
    tool = clip(evidence.tool, 200)
    side_effect = clip(evidence.side_effect, 40)
    whole, text, html = _body(evidence.body)
    body = bounded(whole)
    return Sight(
        evidence=evidence,
        tool=tool,
        words=_tool_words(tool),
        side_effect=side_effect if side_effect in _SIDE_EFFECTS else SideEffect.READ,
        args=mapping(bounded(evidence.args)) or {},
        status=_status(evidence.http_status),
        headers=_headers(evidence.headers) if evidence.headers else {},
        body=body,
        text=text,
        html=html,
        fault=fault_of(bounded(evidence.exception)) if evidence.exception else None,
        exit_code=integer(evidence.exit_code),
        stderr=clip(evidence.stderr),
        stdout=clip(evidence.stdout),
        cut=body is not whole,
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


_FORM = re.compile(r"[A-Za-z_][\w.]{0,60}=[^&=\n]{0,2000}(?:&[A-Za-z_][\w.]{0,60}=[^&=\n]{0,2000}){1,100}")
"""A form as a body: `respCode=05&respMsg=…`, as older payment gateways answer."""
TOLD_BY_LINE = frozenset({"success", "ok", "status", "code", "error", "index"})


def _lines(text: str) -> list[Any] | dict[str, Any] | None:
    """Answers of one line per item, as bulk imports give them; of other streams the error that ended them."""
    lines = json_lines(text)
    if lines is None:
        return None
    if not all(not TOLD_BY_LINE.isdisjoint(line) for line in lines):
        return next((line for line in reversed(lines[-3:]) if line.get("error")), None)
    return lines


_EVENT = re.compile(r"^data: ?(\{.*\})\s*$", re.MULTILINE)


def _streamed(text: str) -> dict[str, Any] | None:
    """The error that ended a stream of server-sent events."""
    last = [parsed(data) for data in _EVENT.findall(text[-20_000:])[-3:]]
    return next(
        (
            one
            for one in reversed(last)
            if isinstance(one, dict) and (one.get("error") or one.get("type") == "error")
        ),
        None,
    )


def _body(value: object) -> tuple[Any, str, bool]:
    """(parsed value or MISSING, text, whether it is a web page)."""
    if isinstance(value, bytes | bytearray):
        value = clip(value, 60_000)
    if not isinstance(value, str):
        return value, "", False
    found = parsed(value)
    if isinstance(found, dict | list) or found is None:
        return found, value, False
    if _FORM.fullmatch(value[:8_000]):
        return dict(parse_qsl(value[:8_000], keep_blank_values=True, max_num_fields=200)), value, False
    if value[:1] == "{" and "\n{" in value and (lines := _lines(value)) is not None:
        return lines, value, False
    if value.startswith(("event:", "data:", "id:", ": ")) and (ended := _streamed(value)) is not None:
        return ended, value, False
    if "<" in value[:200]:
        if markup.is_html(value):
            return MISSING, value, True
        if markup.is_xml(value) and (nested := markup.xml_value(value)):
            return nested, value, False
    return MISSING, value, False
