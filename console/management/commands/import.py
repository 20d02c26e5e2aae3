"""`manage.py import corpus FILE`: posts recorded failures of real tools through the public API."""  # noqa: N999 - the file of a command is named as the command

import sys
from argparse import ArgumentParser
from pathlib import Path

import httpx2
from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils.timezone import now

from console.demo import corpus
from console.demo.keys import keys

AGENT = "corpus"


class Command(BaseCommand):
    help = "Post a corpus of tool failures to a running console, as calls of the tools they came from."

    def add_arguments(self, parser: ArgumentParser) -> None:
        kinds = parser.add_subparsers(dest="kind", required=True)
        lines = kinds.add_parser("corpus", help="a file with one case on each line")
        lines.add_argument("file", type=Path)
        lines.add_argument("--url", default="http://127.0.0.1:8000", help="address of the console")
        lines.add_argument(
            "--key", default="", help=f"an agent's key; without one, that of the agent {AGENT!r} here"
        )

    def handle(self, *args: object, file: Path, url: str, key: str, **options: object) -> None:
        at = now()
        try:
            calls = corpus.read(file, at=at)
        except (OSError, ValueError) as exc:
            sys.exit(str(exc))
        if not key:
            key = keys([AGENT], kept=Path(settings.DATA_DIR) / "demo" / "corpus-key.json", at=at)[AGENT]
        try:
            with httpx2.Client(timeout=30) as client:
                tally = corpus.post(calls, url=url, key=key, client=client)
        except httpx2.HTTPError as exc:
            sys.exit(f"The calls could not be posted to {url}: {exc}")
        self.stdout.write(str(tally))
        if tally.rejected:
            sys.exit(1)
