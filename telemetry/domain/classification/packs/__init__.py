"""Knowledge of single vendors: which of their codes means what."""

import re
from collections.abc import Iterable
from functools import lru_cache

from telemetry.domain.classification.causes import Cause, Finding
from telemetry.domain.classification.packs.pack import Pack
from telemetry.domain.classification.packs.shelf import PACKS

__all__ = ["PACKS", "Pack", "fine_codes", "marked", "read_pack_code", "read_pack_text"]

_BY_MARK: dict[str, list[Pack]] = {}
_EVERYWHERE: dict[str, tuple[Cause, Pack]] = {}
_OWN: dict[str, dict[str, Cause]] = {}
_PREFIXES: dict[str, list[tuple[str, Cause]]] = {}
_EVERYWHERE_PREFIXES: list[tuple[str, Cause, Pack]] = []
_TEXTS: dict[str, list[tuple[Cause, re.Pattern[str]]]] = {}
_FINE: dict[str, frozenset[str]] = {}
_WEIGHTS: dict[str, int] = {}


def _shelve(pack: Pack) -> None:
    for mark in pack.marks:
        _BY_MARK.setdefault(mark, []).append(pack)
    _WEIGHTS[pack.name] = pack.weight
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
    _TEXTS[pack.name] = [(cause, re.compile(pattern)) for cause, pattern in pack.texts.items()]
    _FINE[pack.name] = frozenset(pack.fine.lower().split())


for _pack in PACKS:
    _shelve(_pack)


def marked(words: Iterable[str]) -> tuple[Pack, ...]:
    """The packs whose vendor is named by one of the words."""
    found = {pack.name: pack for word in words for pack in _BY_MARK.get(word, ())}
    return tuple(found.values())


@lru_cache(maxsize=4096)
def read_pack_code(code: str, packs: tuple[str, ...]) -> Finding | None:
    """What a code means to the vendors named, or to the one vendor in the world that has such a code."""
    plain = code.lower()
    for name in packs:
        if cause := _OWN.get(name, {}).get(plain):
            return Finding(cause, 70 if cause is Cause.SERVER_ERROR else _WEIGHTS[name], f"pack.{name}/{code}")
    for name in packs:
        for prefix, cause in _PREFIXES.get(name, ()):
            if plain.startswith(prefix):
                return Finding(cause, _WEIGHTS[name] - 1, f"pack.{name}/{code}")
    if known := _EVERYWHERE.get(plain):
        cause, pack = known
        return Finding(cause, 48 if cause is Cause.SERVER_ERROR else pack.weight, f"pack.{pack.name}/{code}")
    for prefix, cause, pack in _EVERYWHERE_PREFIXES:
        if plain.startswith(prefix):
            return Finding(cause, pack.weight - 1, f"pack.{pack.name}/{code}")
    return None


def read_pack_text(text: str, packs: tuple[str, ...]) -> Finding | None:
    """What a sentence means to the vendors named."""
    for name in packs:
        for cause, pattern in _TEXTS.get(name, ()):
            if pattern.search(text):
                return Finding(cause, 93, f"pack.{name}/text")
    return None


def fine_codes(packs: tuple[str, ...]) -> frozenset[str]:
    """Codes that mean success to the vendors named."""
    return frozenset().union(*(_FINE.get(name, frozenset()) for name in packs))
