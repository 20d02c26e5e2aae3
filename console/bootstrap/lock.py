"""A lock file: the packages it pins, their hashes, and its own digest."""

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;\\]+)(?P<marker>\s*;[^\\]*)?")


@dataclass(frozen=True)
class Pin:
    """One pinned package; `text` is its whole entry, hashes included, as pip reads it."""

    name: str
    version: str
    conditional: bool
    text: str


@dataclass(frozen=True)
class Lock:
    """One committed lock file."""

    path: Path

    @property
    def digest(self) -> str:
        """sha256 of the file, in hex: what an environment is stamped with."""
        return hashlib.sha256(self.path.read_bytes()).hexdigest()

    def pins(self) -> Iterator[Pin]:
        """Give every pinned package in the file's order."""
        entry: list[str] = []
        for line in [*self.path.read_text(encoding="utf-8").splitlines(), "end==0"]:
            if not PIN.match(line):
                entry.append(line)
                continue
            if found := PIN.match(entry[0]) if entry else None:
                text = "\n".join(part for part in entry if not part.lstrip().startswith("#"))
                yield Pin(found["name"], found["version"], bool(found["marker"]), text.rstrip(" \\\n"))
            entry = [line]

    def pin(self, name: str) -> Pin:
        """Give one package's pin; a lock without it is a broken checkout."""
        return next(pin for pin in self.pins() if pin.name == name)

    def missing(self, installed: Callable[[str], str] = metadata.version) -> list[str]:
        """Name what the running Python lacks or has in another version; pins under a condition are not asked for."""
        lacking = []
        for pin in self.pins():
            try:
                here = installed(pin.name)
            except metadata.PackageNotFoundError:
                here = ""
            if here != pin.version and not pin.conditional:
                lacking.append(pin.name)
        return lacking
