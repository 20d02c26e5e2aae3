"""Runs pytest where the frameworks are that agents are written in: `python -m console.bootstrap.real ARGS`.

They live in `.venv-real`, made from a lock of their own: an agent's environment need not agree with the console's, and
in a test of the two neither sees the other's packages. The console under test runs in the Python that started this.
"""

import os
import sys
from collections.abc import Mapping, Sequence

from console.bootstrap.environment import ROOT, SOURCES, say
from console.bootstrap.lock import Lock
from console.bootstrap.venv import NotReady, Venv, run, uv_environment

FRAMEWORKS = Lock(ROOT / "requirements-real.lock")
VENV = Venv(ROOT / ".venv-real")
CONSOLE_PYTHON = "SWITCHBOARD_CONSOLE_PYTHON"
SETTINGS = ("-c", "tests/real/pytest.ini", "--rootdir", ".", "--confcutdir", "tests/real")


def command(arguments: Sequence[str], venv: Venv = VENV) -> list[str]:
    """Give the argument list that runs these tests over there."""
    return [str(venv.python), "-m", "pytest", *SETTINGS, *arguments]


def environment(given: Mapping[str, str], python: str, venv: Venv = VENV) -> dict[str, str]:
    """Give the environment over there: nothing that says where packages of this Python are.

    Where compiled modules are forbidden beside the sources they are kept in a folder of that environment.
    """
    left_out = {"PYTHONPATH", "DJANGO_SETTINGS_MODULE", "PYTHONPYCACHEPREFIX", "PYTHONDONTWRITEBYTECODE"}
    kept = {name: value for name, value in given.items() if name not in left_out}
    if given.get("PYTHONDONTWRITEBYTECODE") or given.get("PYTHONPYCACHEPREFIX"):
        kept["PYTHONPYCACHEPREFIX"] = str(venv.folder / "pycache")
    return {**kept, CONSOLE_PYTHON: python}


def fill() -> None:
    """Make it and bring it to the lock, with the installer of the environment that this runs in."""
    VENV.stamp.unlink(missing_ok=True)
    say(f"Setting up: {sum(1 for _ in FRAMEWORKS.pins())} packages from {FRAMEWORKS.path.name}")
    uv = [sys.executable, "-m", "uv"]
    make = [*uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(VENV.folder)]
    sync = [*uv, "pip", "sync", "--quiet", "--require-hashes", "--python", str(VENV.python)]
    env = uv_environment(os.environ)
    run(make, "The environment of the frameworks could not be made", env=env)
    run([*sync, str(FRAMEWORKS.path)], "The frameworks could not be installed", env=env)
    VENV.join(FRAMEWORKS, SOURCES)


def main(arguments: Sequence[str]) -> None:
    """Make the environment where it is not there as locked, then become pytest."""
    try:
        if not VENV.holds(FRAMEWORKS, FRAMEWORKS):
            fill()
    except NotReady as refusal:
        sys.exit(str(refusal))
    os.chdir(ROOT)
    argv = command(arguments)
    os.execve(argv[0], argv, environment(os.environ, sys.executable))  # noqa: S606  # the same test run


if __name__ == "__main__":
    main(sys.argv[1:])
