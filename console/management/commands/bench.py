"""Run one benchmark of tests/bench; they print figures and are no part of the suite."""

import os
import runpy
import sys
from argparse import REMAINDER, ArgumentParser

from django.core.management.base import BaseCommand

from console.bootstrap.environment import ROOT

NOBODY_READS = 141  # what a shell says of a program that SIGPIPE has ended


class Command(BaseCommand):
    help = "Run a benchmark by its name; without one, list them."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", help="a file of tests/bench, without .py")
        parser.add_argument("rest", nargs=REMAINDER, help="given to the benchmark")

    def handle(self, *_args: object, name: str | None, rest: list[str], **_options: object) -> None:
        known = {path.stem: path for path in sorted((ROOT / "tests" / "bench").glob("[a-z]*.py"))}
        if name not in known:
            sys.exit(f"The benchmarks are: {', '.join(known) or 'none yet'}.")
        sys.argv = [str(known[name]), *rest]
        try:
            try:
                runpy.run_path(str(known[name]), run_name="__main__")
            finally:
                sys.stdout.flush()
        except BrokenPipeError:  # `| head` has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(NOBODY_READS)
