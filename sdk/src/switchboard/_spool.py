"""Batches that could not be sent, on disk until they can be: exact request bodies, oldest first, up to a limit."""

import contextlib
import itertools
import os
import time
from pathlib import Path

from switchboard._quiet import log, once

SUFFIX, TAKEN, WRITING = ".calls.gz", ".taken", ".tmp"
STALE_S = 120.0  # a taker that has died leaves its file; after this another one may take it


class Spool:
    """A folder shared by every process of one agent key.

    Any process may send any file: calls are idempotent by their id, so a file sent twice counts once. A file is taken
    by renaming it, which one of several takers wins.
    """

    def __init__(self, folder: Path, *, limit: int) -> None:
        self._folder = folder
        self._limit = limit
        self._numbers = itertools.count()

    def put(self, body: bytes) -> bool:
        """Keep one gzipped request body; False when the limit is reached or the disk will not have it."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if self._used() + len(body) > self._limit:
                return False
            name = f"{time.time_ns():020d}-{os.getpid()}-{next(self._numbers)}"
            writing = self._folder / (name + WRITING)
            handle = os.open(writing, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(body)
                writing.rename(self._folder / (name + SUFFIX))
            except OSError:
                writing.unlink(missing_ok=True)  # half a batch on a full disk helps nobody
                raise
        except OSError as exc:
            if once(f"spool {self._folder}"):
                log.warning("Calls cannot be kept in %s while the console is away: %s", self._folder, exc)
            return False
        return True

    def take(self) -> "Taken | None":
        """Give the oldest batch that nobody else is sending."""
        self._free_stale()
        for path in self._files(SUFFIX):
            mine = path.with_name(path.name + TAKEN)
            try:
                path.rename(mine)
                os.utime(mine)
                return Taken(path, mine, mine.read_bytes())
            except OSError:
                continue  # another process was faster
        return None

    def waiting(self) -> bool:
        """Whether there is anything to send."""
        return bool(self._files(SUFFIX))

    def _files(self, suffix: str) -> list[Path]:
        with contextlib.suppress(OSError):
            return sorted(each for each in self._folder.iterdir() if each.name.endswith(suffix))
        return []

    def _used(self) -> int:
        used = 0
        for path in self._folder.iterdir():
            with contextlib.suppress(OSError):
                used += path.stat().st_size
        return used

    def _free_stale(self) -> None:
        """Undo what a process that died had begun."""
        for path in (*self._files(TAKEN), *self._files(WRITING)):
            with contextlib.suppress(OSError):
                if time.time() - path.stat().st_mtime <= STALE_S:
                    continue
                if path.name.endswith(TAKEN):
                    path.rename(path.with_name(path.name.removesuffix(TAKEN)))
                else:
                    path.unlink()


class Taken:
    """A batch in this process's hands: it is done, or given back."""

    def __init__(self, path: Path, mine: Path, body: bytes) -> None:
        self._path = path
        self._mine = mine
        self.body = body

    def done(self) -> None:
        """It is stored at the console, or never will be."""
        with contextlib.suppress(OSError):
            self._mine.unlink()

    def give_back(self) -> None:
        """Not now: let it be the oldest again."""
        with contextlib.suppress(OSError):
            self._mine.rename(self._path)
