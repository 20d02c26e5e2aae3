"""Closes JSON that was cut off, so that what stands before the cut can be read."""

from typing import Any

from telemetry.domain.classification.plain import MISSING, json_in

LONGEST = 12_000


def mended(text: str) -> Any:
    """The JSON value that a text began to be, or MISSING."""
    begun = text.strip()
    if begun[:1] not in {"{", "["} or len(begun) > LONGEST:
        return MISSING
    quoted, closers = _left_open(begun)
    for whole in _endings(begun, quoted=quoted):
        value = json_in(whole + closers)
        if value is not MISSING:
            return value
    return MISSING


def _left_open(text: str) -> tuple[bool, str]:
    """Whether the text ends inside a string, and the brackets that are still to close."""
    open_ones: list[str] = []
    quoted = escaped = False
    for char in text:
        if escaped:
            escaped = False
        elif quoted:
            escaped = char == "\\"
            quoted = char != '"'
        elif char == '"':
            quoted = True
        elif char in "{[":
            open_ones.append("}" if char == "{" else "]")
        elif char in "}]" and open_ones:
            open_ones.pop()
    return quoted, "".join(reversed(open_ones))


def _endings(text: str, *, quoted: bool) -> list[str]:
    """The ways in which the last member may end: as a value, as a name without its value, not at all."""
    if quoted:
        plain = text.rstrip("\\")
        return [plain + '"', plain + '": null', text[: text.rfind('"')].rstrip().rstrip(",:")]
    plain = text.rstrip().rstrip(",")
    return [plain, plain + " null", plain + ": null", text[: max(text.rfind(","), 0)]]
