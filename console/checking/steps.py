"""Which steps there are, in which order, and what each of them runs."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass

PYTHON = sys.executable
PYTEST = (PYTHON, "-m", "pytest", "-q")
BOTH_CORES = ("-n", "2")
ON_SERVERS = (PYTHON, "-m", "tests.services")
SOURCES = ("manage.py", "console", "escalations", "telemetry", "sdk/src", "tests")
APART = "not browser and not live"
REAL = "real"  # what is typed after `manage.py test`
IN_FRAMEWORKS = (PYTHON, "-m", "console.bootstrap.real", "-q", "tests/real", "sdk/tests/adapters")


@dataclass(frozen=True)
class Step:
    """One line of the run. `counted`: it is pytest, and its tests are counted; otherwise it passes or fails whole."""

    name: str
    argv: tuple[str, ...]
    counted: bool = False
    quick: bool = True


def checks() -> tuple[Step, ...]:
    """The steps that read the code without running it."""
    tool = (PYTHON, "-m")
    return (
        Step("format", (*tool, "ruff", "format", "--check", ".")),
        Step("style", (*tool, "ruff", "check", ".")),
        Step("types", (*tool, "mypy", *SOURCES), quick=False),
        Step("imports", (PYTHON, "-c", "from importlinter.cli import lint_imports_command as run; run()")),
        Step("migrations", (PYTHON, "manage.py", "makemigrations", "--check", "--dry-run")),
        Step("templates", (*tool, "djlint", "templates", "--lint", "--quiet")),
    )


def tests() -> tuple[Step, ...]:
    """The steps that run it."""
    return (
        Step("contracts", (*PYTEST, "tests/contract"), counted=True),
        Step("units", (*PYTEST, *BOTH_CORES, "tests", "--ignore=tests/contract", "-m", APART), counted=True),
        Step("sdk", (*PYTEST, *BOTH_CORES, "sdk/tests"), counted=True),
        Step("journeys", (*PYTEST, *BOTH_CORES, "tests", "-m", "browser or live"), counted=True, quick=False),
        Step("storage on PostgreSQL and Valkey", (*ON_SERVERS, *PYTEST, *BOTH_CORES, "tests", "--storage"), counted=True, quick=False),
        Step(
            "journeys on PostgreSQL and Valkey",
            (*ON_SERVERS, *PYTEST, "tests", "-m", "(browser or live) and not embedded"), counted=True, quick=False,
        ),
    )  # fmt: skip


def real() -> Step:
    """The step that tries everything against the frameworks agents are written in, in an environment of their own.

    Asked for by name: the suite itself reads the recordings of what they send.
    """
    return Step("real frameworks", IN_FRAMEWORKS, counted=True, quick=False)


def chosen(paths: Sequence[str], keyword: str | None, *, fast: bool) -> tuple[Step, ...]:
    """Give the steps for what was asked: everything, the quick ones, or one pytest run over paths and words."""
    if tuple(paths) == (REAL,) and not keyword:
        return (real(),)
    if paths or keyword:
        words = ("-k", keyword) if keyword else ()
        return (Step("tests", (*PYTEST, *paths, *words), counted=True),)
    if fast:
        return tuple(step for step in (*checks(), *tests()) if step.quick)
    return (*checks(), *tests())
