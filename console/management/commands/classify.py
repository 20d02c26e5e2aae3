"""`manage.py classify < cases.jsonl`: say of each recorded outcome which failure it was, and by which rule."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

import orjson
from django.core.management.base import BaseCommand, CommandError

from telemetry.domain.classification import classify_case


class Command(BaseCommand):
    help = "Read JSON objects, one a line, and print the class, code, field and rule of each."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, help="read this file instead of standard input")

    def handle(self, *args: object, file: Path | None, **options: object) -> None:
        for number, line in enumerate(_lines(file), start=1):
            try:
                case = orjson.loads(line)
            except orjson.JSONDecodeError as exc:
                raise CommandError(f"Line {number} is not valid JSON: {exc}.") from exc
            if not isinstance(case, dict):
                raise CommandError(f"Line {number} is not a JSON object.")
            # Straight to the bytes: a terminal in another encoding must not stop a Chinese message.
            sys.stdout.buffer.write(orjson.dumps(classify_case(case), option=orjson.OPT_APPEND_NEWLINE))


def _lines(file: Path | None) -> Iterator[bytes]:
    if file is None:
        yield from filter(bytes.strip, sys.stdin.buffer)
        return
    with file.open("rb") as opened:
        yield from filter(bytes.strip, opened)
