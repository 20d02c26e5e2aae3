"""Enters the environment a command needs: at once where it is ready, otherwise by making it and starting again in it."""

import fcntl
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from console.bootstrap.lock import Lock
from console.bootstrap.venv import NotReady, Venv

__all__ = ["NotReady", "enter"]

ROOT = Path(__file__).resolve().parents[2]
RUNTIME = Lock(ROOT / "requirements.lock")
TESTS = Lock(
    ROOT / "requirements-test.lock"
)  # everything of RUNTIME in the same versions, and the test tools
SOURCES = [ROOT, ROOT / "sdk" / "src"]
STARTED = "SWITCHBOARD_STARTED"
WITH_TEST_TOOLS = frozenset({"test", "bench"})


def enter(argv: list[str]) -> None:
    """Return inside a Python that has what the command needs, or replace this process by one that has."""
    os.environ.setdefault(STARTED, repr(time.time()))  # survives the change of process
    lock = TESTS if argv and argv[0] in WITH_TEST_TOOLS else RUNTIME
    venv = Venv(ROOT / ".venv")
    ready = venv.holds(lock, TESTS)
    if venv.running() and ready:
        keep_bytecode(venv.folder / "pycache")
        return
    if not ready and not venv.running() and not lock.missing():
        _join_sources()
        return
    if not ready:
        _fill(venv, lock)
    os.execv(venv.python, [str(venv.python), str(ROOT / "manage.py"), *argv])  # noqa: S606  # this same program


def keep_bytecode(folder: Path) -> None:
    """Keep compiled modules in a folder of ours where somebody forbade them beside the sources.

    Without any, every process compiles every package anew: more than a second of each start.
    """
    if sys.dont_write_bytecode and sys.pycache_prefix is None:
        sys.dont_write_bytecode, sys.pycache_prefix = False, str(folder)
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = str(folder)  # for the children


def began() -> float:
    """Give the moment the command was typed, in Unix seconds; asked once, not passed on to children."""
    return float(os.environ.pop(STARTED, "") or time.time())


def _fill(venv: Venv, lock: Lock) -> None:
    if refusal := why_not_write(ROOT):
        raise NotReady(refusal)
    began = time.monotonic()
    with _one_at_a_time():
        if venv.holds(lock, TESTS):  # whoever held the file lock before us did it
            return
        larger = TESTS if venv.has("pytest") else lock  # never take the test tools from under a running test
        venv.fill(larger, SOURCES, say)
    say(f"Setting up: done in {time.monotonic() - began:.1f} s")


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    with RUNTIME.path.open("rb") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Setting up: another start is at it, waiting")
            fcntl.flock(held, fcntl.LOCK_EX)
        yield


def _join_sources() -> None:
    """Put our own source folders on the path of this process and of those it starts."""
    known = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    for path in map(str, SOURCES):
        if path not in sys.path:
            sys.path.insert(1, path)
        if path not in known:
            known.append(path)
    os.environ["PYTHONPATH"] = os.pathsep.join(part for part in known if part)


def why_not_write(folder: Path) -> str | None:
    """Say that a folder cannot be written, or None."""
    if os.access(folder, os.W_OK):
        return None
    return f"Switchboard cannot write to {folder}, where the first start makes .venv: change its owner or copy it."


def say(line: str) -> None:
    """Tell the person at the terminal, without waiting for a buffer."""
    print(line, file=sys.stderr, flush=True)
