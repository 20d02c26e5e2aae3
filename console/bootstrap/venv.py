"""The virtual environment in `.venv`: made, filled from a lock, stamped."""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from console.bootstrap.lock import Lock

Say = Callable[[str], None]


class NotReady(Exception):
    """The set-up cannot go on; the text is one sentence for the person at the terminal."""


@dataclass(frozen=True)
class Venv:
    """A virtual environment in a folder, with a stamp that says which lock it was filled from."""

    folder: Path

    @property
    def python(self) -> Path:
        """The interpreter inside."""
        return self.folder / "bin" / "python"

    @property
    def uv(self) -> Path:
        """The installer inside."""
        return self.folder / "bin" / "uv"

    @property
    def stamp(self) -> Path:
        """The file that remembers the lock; written last, removed first."""
        return self.folder / "switchboard.json"

    def holds(self, lock: Lock, larger: Lock) -> bool:
        """Whether it was filled from this lock, or from the larger one that contains it, as they are now."""
        try:
            stamped = json.loads(self.stamp.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return False
        here = stamped.get("folder") == str(self.folder.resolve())  # a copied one points to where it was
        return here and self._usable() and stamped.get("sha256") in {lock.digest, larger.digest}

    def _usable(self) -> bool:
        try:
            return self.python.exists()
        except PermissionError as exc:
            raise NotReady(
                f"{self.folder} was made by another user, whose Python this one may not run: "
                "start as that user, or from a copy of your own."
            ) from exc

    def running(self) -> bool:
        """Whether this very process runs in it."""
        return Path(sys.prefix).resolve() == self.folder.resolve()

    @property
    def whole(self) -> bool:
        """Whether it can install anything: making it may have been interrupted."""
        return self.python.exists() and (self.uv.exists() or self.has("pip"))

    def has(self, package: str) -> bool:
        """Whether a package is installed in it, by its metadata folder."""
        return any(self.folder.glob(f"lib/python*/site-packages/{package}-*.dist-info"))

    def fill(self, lock: Lock, paths: list[Path], say: Say) -> None:
        """Make it where it is missing, bring it to the lock exactly, add our own source folders, stamp it."""
        self.stamp.unlink(missing_ok=True)
        if not self.whole:
            self._make(say)
        if not self.uv.exists():
            self._install_uv(lock)
        say(f"Setting up: {sum(1 for _ in lock.pins())} packages from {lock.path.name}")
        sync = [self.uv, "pip", "sync", "--quiet", "--require-hashes", "--python", self.python, lock.path]
        run(
            [str(part) for part in sync],
            "The packages could not be installed",
            env=uv_environment(os.environ),
        )
        self.join(lock, paths)

    def join(self, lock: Lock, paths: list[Path]) -> None:
        """Put our own source folders on its path, and remember the lock it was filled from."""
        for site in self.folder.glob("lib/python*/site-packages"):
            (site / "switchboard-sdk.pth").write_text(
                "".join(f"{path}\n" for path in paths), encoding="utf-8"
            )
        stamp = {"lock": lock.path.name, "sha256": lock.digest, "folder": str(self.folder.resolve())}
        self.stamp.write_text(json.dumps(stamp), encoding="utf-8")

    def _make(self, say: Say) -> None:
        if refusal := why_not_venv(importlib.util.find_spec):
            raise NotReady(refusal)
        say(f"Setting up: making {self.folder.name} (first start only)")
        make = [sys.executable, "-m", "venv", "--clear", str(self.folder)]
        run(make, "The virtual environment could not be made")

    def _install_uv(self, lock: Lock) -> None:
        with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as pinned:
            pinned.write(lock.pin("uv").text + "\n")
            pinned.flush()
            pip = [self.python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            only = ["--no-deps", "--only-binary", ":all:", "--require-hashes", "-r", pinned.name]
            run([*map(str, pip), *only], "The installer (uv) could not be fetched")


def why_not_venv(find: Callable[[str], object | None]) -> str | None:
    """Say what Python lacks to make an environment, or None."""
    if find("venv") is not None and find("ensurepip") is not None:
        return None
    return (
        "This Python has no venv module, which the first start needs: install it "
        "(Debian and Ubuntu: apt install python3-venv), then start again."
    )


def uv_environment(given: Mapping[str, str]) -> dict[str, str]:
    """Give uv the environment, told never to fetch a Python, and pip's own index where only pip was told one."""
    env = {**given, "UV_PYTHON_DOWNLOADS": "never", "VIRTUAL_ENV": ""}
    named = given.get("UV_CACHE_DIR") or given.get("XDG_CACHE_HOME")
    if not named and not os.access(os.path.expanduser("~"), os.W_OK):  # noqa: PTH111  # Path.expanduser raises without a home
        env["UV_NO_CACHE"] = "true"
    if "PIP_INDEX_URL" in given and not {"UV_DEFAULT_INDEX", "UV_INDEX_URL"} & given.keys():
        env["UV_DEFAULT_INDEX"] = given["PIP_INDEX_URL"]
    return env


def run(argv: list[str], failed: str, env: Mapping[str, str] | None = None) -> None:
    """Run one step of the set-up quietly; a failure becomes one sentence with the step's own last words."""
    done = subprocess.run(argv, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotReady(f"{failed}: {last_words(done.stderr or done.stdout)}")


def last_words(output: str) -> str:
    """Pick the sentence that says why from an installer's error output."""
    lines = [line.strip(" \t×╰│├─▶") for line in output.splitlines() if line.strip()]
    if any("certificate" in line.lower() for line in lines):
        return "the package index shows a certificate that is not trusted here: SSL_CERT_FILE names your own authority's."
    network = ("network", "connect", "resolve", "dns", "timed out", "unreachable", "fetch", "versions: none")
    if any(word in line.lower() for line in lines for word in network):
        return "the package index could not be reached. The first start needs the network; later ones do not."
    return lines[-1] if lines else "it gave no reason."
