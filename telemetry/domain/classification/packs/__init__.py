"""Knowledge of single vendors: which of their codes means what. One TOML file each, in this folder."""

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from telemetry.domain.classification.causes import Cause
from telemetry.domain.classification.findings import Finding
from telemetry.domain.classification.knowledge import HERE, table
from telemetry.domain.classification.packs.pack import Pack

__all__ = ["PACKS", "Pack", "fine_codes", "marked", "numbers", "read_pack_code", "read_pack_text"]

PACKS: dict[str, Pack] = {
    path.stem.replace("_", "-"): Pack.of(path.stem.replace("_", "-"), table(f"packs/{path.name}"))
    for path in sorted((HERE / "packs").glob("*.toml"))
}

_BY_MARK: dict[str, list[str]] = {}
_OWN: dict[str, dict[str, Cause]] = {}
_PREFIXES: dict[str, list[tuple[str, Cause]]] = {}
_EVERYWHERE: dict[str, tuple[Cause, Pack]] = {}
_EVERYWHERE_PREFIXES: list[tuple[str, Cause, Pack]] = []
VAGUE = 70
"""A vendor's own word for `something broke` is outweighed by a sentence that says what."""


def _shelve(pack: Pack) -> None:
    for mark in pack.marks:
        _BY_MARK.setdefault(mark, []).append(pack.name)
    own = _OWN.setdefault(pack.name, {})
    for code, cause in pack.entries():
        if code.endswith("*"):
            _PREFIXES.setdefault(pack.name, []).append((code[:-1], cause))
            if pack.everywhere:
                _EVERYWHERE_PREFIXES.append((code[:-1], cause, pack))
        else:
            own[code] = cause
            if pack.everywhere:
                _EVERYWHERE[code] = (cause, pack)


for _pack in PACKS.values():
    _shelve(_pack)


def marked(words: Iterable[str]) -> tuple[str, ...]:
    """Names of the packs whose vendor is named by one of the words."""
    return tuple(dict.fromkeys(name for word in words for name in _BY_MARK.get(word, ())))


@lru_cache(maxsize=4096)
def read_pack_code(code: str, packs: tuple[str, ...]) -> Finding | None:
    """What a code means to the vendors named, or to the one vendor in the world that has such a code."""
    plain = code.lower()
    for name in packs:
        if cause := _OWN[name].get(plain):
            weight = VAGUE if cause is Cause.SERVER_ERROR else PACKS[name].weight
            return Finding(cause, weight, f"pack.{name}/{code}")
    for name in packs:
        for prefix, cause in _PREFIXES.get(name, ()):
            if plain.startswith(prefix):
                return Finding(cause, PACKS[name].weight - 1, f"pack.{name}/{code}")
    return _read_everywhere(plain, code)


def _read_everywhere(plain: str, code: str) -> Finding | None:
    if known := _EVERYWHERE.get(plain):
        cause, pack = known
        return Finding(cause, 48 if cause is Cause.SERVER_ERROR else pack.weight, f"pack.{pack.name}/{code}")
    for prefix, cause, pack in _EVERYWHERE_PREFIXES:
        if plain.startswith(prefix):
            return Finding(cause, pack.weight - 1, f"pack.{pack.name}/{code}")
    return None


@cache
def _texts(name: str) -> list[tuple[Cause, re.Pattern[str]]]:
    return [(cause, re.compile(pattern)) for cause, pattern in PACKS[name].texts.items()]


def read_pack_text(text: str, packs: tuple[str, ...]) -> Finding | None:
    """What a sentence means to the vendors named."""
    for name in packs:
        for cause, pattern in _texts(name):
            if pattern.search(text):
                return Finding(cause, 93, f"pack.{name}/text")
    return None


def numbers(packs: tuple[str, ...]) -> bool:
    """True where one of the vendors named numbers its errors, so that a number is no SQLSTATE."""
    return any(code.isdigit() for name in packs for code in _OWN[name])


def fine_codes(packs: tuple[str, ...]) -> frozenset[str]:
    """Codes that mean success to the vendors named."""
    return frozenset().union(*(PACKS[name].fine for name in packs))
