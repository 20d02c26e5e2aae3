"""Reads machine identifiers of any spelling: splits them into words and looks the words up in `words.toml`."""

import re
from functools import lru_cache

from telemetry.domain.classification.causes import Finding
from telemetry.domain.classification.knowledge import rows
from telemetry.domain.classification.needles import Table

CODE_LIMIT = 120
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[^a-z0-9']+")
_TABLE = Table.of(rows("words/words.toml"))


def is_identifier(text: str) -> bool:
    """True for what a program wrote for programs: one word, or a few without a sentence's marks."""
    if not 0 < len(text) <= CODE_LIMIT or not text.isascii():
        return False
    return " " not in text.strip() or (text.count(" ") <= 3 and not text.rstrip().endswith((".", "!", "?")))


def words_of(code: str) -> str:
    """`AWS.SimpleQueueService.NonExistentQueue` → `aws simple queue service non existent queue`."""
    return _WORD.sub(" ", _CAMEL.sub(" ", code).lower()).strip()


@lru_cache(maxsize=4096)
def read_code(code: str) -> Finding | None:
    """What an identifier says, or None. The heaviest rule wins; equal ones by their order in the table."""
    if "://" in code or code.startswith("#<"):
        code = code.rstrip("/>").rsplit("/", 1)[-1]
    if "#" in code:
        code = code.rsplit("#", 1)[-1]
    if not 1 < len(code) <= CODE_LIMIT:
        return None
    words = words_of(code)
    if not words or words.replace(" ", "").isdigit():
        return None
    rules = _TABLE.find(words)
    return Finding(rules[0].cause, rules[0].weight, f"words/{rules[0].cause}") if rules else None
