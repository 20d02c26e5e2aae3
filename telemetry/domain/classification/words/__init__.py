"""Reads machine identifiers of any spelling: their words are looked up in `words.toml`."""

from functools import lru_cache

from telemetry.domain.classification.findings import Finding
from telemetry.domain.classification.identifiers import CODE_LIMIT, words_of
from telemetry.domain.classification.knowledge import rows
from telemetry.domain.classification.needles import Table

_TABLE = Table.of(rows("words/words.toml"))


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
