"""Runs one step, counts its tests, keeps what it printed for the case that it fails."""

import os
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

from console.bootstrap.environment import ROOT
from console.checking.steps import Step

NO_TESTS = 5  # pytest's exit code where nothing was collected


@dataclass(frozen=True)
class Outcome:
    """What became of one step; a whole step counts as failed once, and never as a passed test."""

    name: str
    passed: int
    failed: int
    skipped: int
    seconds: float
    output: str
    reasons: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """The outcome in a few words."""
        counts = [(self.passed, "passed"), (self.failed, "failed"), (self.skipped, "skipped")]
        said = ", ".join(f"{number} {word}" for number, word in counts if number) or "ok"
        return f"{said}  ({self.seconds:.1f} s)"


def run(step: Step) -> Outcome:
    """Run a step to its end."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="switchboard-report-") as folder:
        report = Path(folder) / "report.xml"
        argv = [*step.argv, f"--junitxml={report}"] if step.counted else list(step.argv)
        done = subprocess.run(
            argv, cwd=ROOT, env={**os.environ, "DJANGO_SETTINGS_MODULE": "console.settings"},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False,
        )  # fmt: skip
        passed, failed, skipped, reasons = counts(report) if report.exists() else (0, 0, 0, ())
    broken = done.returncode not in {0, NO_TESTS} if step.counted else done.returncode != 0
    failed = max(failed, int(broken))
    return Outcome(step.name, passed, failed, skipped, time.monotonic() - began, done.stdout, reasons)


def counts(report: Path) -> tuple[int, int, int, tuple[str, ...]]:
    """Count passed, failed and skipped tests of a JUnit report, and give the reasons of the skipped ones."""
    passed = failed = skipped = 0
    reasons = []
    for case in ET.parse(report).iter("testcase"):  # noqa: S314  # pytest wrote it a moment ago
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif (left_out := case.find("skipped")) is not None:
            skipped += 1
            reasons.append(f"{case.get('name')}: {left_out.get('message')}")
        else:
            passed += 1
    return passed, failed, skipped, tuple(reasons)
