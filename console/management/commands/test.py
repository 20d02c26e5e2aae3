"""Run the whole suite, or a part of it; the last line counts."""

import sys
from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from console.checking import steps
from console.checking.running import Outcome, run

MOST_LINES = 400


class Command(BaseCommand):
    help = "Check the code and run every test. Paths or -k run those tests only."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="*", help="test files or folders, given to pytest")
        parser.add_argument("-k", dest="keyword", help="only the tests whose names match, given to pytest")
        parser.add_argument(
            "--fast", action="store_true", help="leave out types, browser, server and services"
        )

    def handle(
        self, *_args: object, paths: list[str], keyword: str | None, fast: bool, **_options: object
    ) -> None:
        outcomes = [self._run(step) for step in steps.chosen(paths, keyword, fast=fast)]
        self._summary(outcomes)
        sys.exit(1 if any(outcome.failed for outcome in outcomes) else 0)

    def _run(self, step: steps.Step) -> Outcome:
        self.stdout.write(f"{step.name} … ", ending="")
        self.stdout.flush()
        outcome = run(step)
        self.stdout.write(outcome.line)
        if outcome.failed:
            self.stdout.write(shortened(outcome.output))
        self.stdout.flush()
        return outcome

    def _summary(self, outcomes: list[Outcome]) -> None:
        for reason in sorted({reason for outcome in outcomes for reason in outcome.reasons}):
            self.stdout.write(f"skipped: {reason}")
        broken = [outcome.name for outcome in outcomes if outcome.failed]
        took = sum(outcome.seconds for outcome in outcomes)
        self.stdout.write(
            f"\n{len(outcomes)} steps in {took:.0f} s; "
            + (f"failed: {', '.join(broken)}" if broken else "all well")
        )
        passed, failed, skipped = (
            sum(getattr(o, name) for o in outcomes) for name in ("passed", "failed", "skipped")
        )
        self.stdout.write(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))


def shortened(output: str) -> str:
    """Give the end of what a step printed: that is where tools say what is wrong."""
    lines = output.splitlines()
    left_out = len(lines) - MOST_LINES
    return "\n".join(([f"({left_out} lines left out)"] if left_out > 0 else []) + lines[-MOST_LINES:])
