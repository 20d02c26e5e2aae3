"""Reads sentences in ten languages for what went wrong."""

from telemetry.domain.classification.causes import Cause
from telemetry.domain.classification.findings import Finding
from telemetry.domain.classification.knowledge import rows
from telemetry.domain.classification.needles import Table
from telemetry.domain.classification.plain import clip, squeezed

READ_LIMIT = 900
"""Characters of a message that are read: its beginning and its end."""

_WESTERN = Table.of(
    row for name in ("english", "loose", "german", "romance") for row in rows(f"phrases/{name}.toml")
)
_EASTERN = Table.of(row for name in ("chinese", "japanese", "others") for row in rows(f"phrases/{name}.toml"))


def read_text(text: object) -> list[Finding]:
    """Every cause that a text names, heaviest first; nothing for silence."""
    plain = squeezed(clip(text, READ_LIMIT))
    if len(plain) < 2:
        return []
    plain = repaired(plain)
    rules = _WESTERN.find(plain)
    if not plain.isascii():
        rules += _EASTERN.find(plain)
    found: dict[Cause, Finding] = {}
    for rule in sorted(rules, key=lambda rule: -rule.weight):
        found.setdefault(rule.cause, Finding(rule.cause, rule.weight, f"text/{rule.cause}"))
    return list(found.values())


def repaired(text: str) -> str:
    """UTF-8 that somebody read as Latin-1 or Windows-1252, put right where that gives a valid text."""
    if text.isascii() or not any("\x80" <= char <= "ÿ" for char in text):
        return text
    for encoding in ("cp1252", "latin-1"):
        try:
            return text.encode(encoding).decode("utf-8")
        except (UnicodeEncodeError, UnicodeDecodeError):
            continue
    return text
