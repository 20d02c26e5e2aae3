"""Runs one step, counts its tests, keeps what it printed for the case that it fails."""

import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

from console.bootstrap import children
from console.bootstrap.environment import ROOT
from console.bootstrap.leash import leashed
from console.checking.steps import Step

LIMIT_S = 1500  # a step that hangs must not hang whoever waits for the suite
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
        code, output = finish(argv, LIMIT_S)
        passed, failed, skipped, reasons = counts(report) if report.exists() else (0, 0, 0, ())
    broken = code not in {0, NO_TESTS} if step.counted else code != 0
    failed = max(failed, int(broken))
    return Outcome(step.name, passed, failed, skipped, time.monotonic() - began, output, reasons)


def finish(argv: list[str], limit_s: float) -> tuple[int, str]:
    """Run a program to its end, or end it when it takes too long; give its exit code and what it printed."""
    child = children.start("step", leashed(argv), out=subprocess.PIPE, cwd=str(ROOT))
    printed, late = b"", ""
    try:
        printed, _ = child.process.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        late = f"\nIt did not end within {limit_s:.0f} s and was ended.\n"
    finally:
        children.stop([child])
    if late:
        printed, _ = child.process.communicate()
    return (1 if late else child.process.returncode), printed.decode(errors="replace") + late


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
