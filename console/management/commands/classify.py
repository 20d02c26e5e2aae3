"""`manage.py classify < cases.jsonl`: say of each recorded outcome which failure it was, and by which rule."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import orjson
from django.core.management.base import BaseCommand, CommandError

from console.kit.pipes import until_nobody_reads
from telemetry.domain.classification import classify_case

LONGEST_LINE = 64 << 20


class Command(BaseCommand):
    help = (
        "Read JSON objects, one a line, and print the class, code, field and rule of each, one a line. A line that"
        " cannot be read gives an object with `line` and `error`, and exit code 1 at the end."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, help="read this file instead of standard input")

    def handle(self, *args: object, file: Path | None, **options: object) -> None:
        unreadable = 0
        with until_nobody_reads(), _opened(file) as source:
            unreadable = _answer_all(source)
            sys.stdout.buffer.flush()
        if unreadable:
            raise CommandError(f"Lines that could not be read: {unreadable}.")


def _opened(file: Path | None) -> IO[bytes]:
    if file is None:
        return sys.stdin.buffer
    try:
        return file.open("rb")
    except OSError as exc:
        raise CommandError(f"{file} cannot be read: {exc.strerror}.") from exc


def _answer_all(source: IO[bytes]) -> int:
    """Answer every line that is not blank; how many could not be read."""
    unreadable = 0
    for number, line in enumerate(_lines(source), start=1):
        if line is not None and not line.strip():
            continue
        case, reason = _read(line)
        if reason:
            unreadable += 1
        told = {"id": None, "line": number, "error": reason} if reason else classify_case(case)
        # Straight to the bytes: a terminal in another encoding must not stop a Chinese message.
        sys.stdout.buffer.write(_written(told))
    return unreadable


def _lines(source: IO[bytes]) -> Iterator[bytes | None]:
    """The lines as they come; None for one that is too long to be a case, which is passed over unread."""
    while line := source.readline(LONGEST_LINE):
        if len(line) < LONGEST_LINE or line.endswith(b"\n"):
            yield line
            continue
        while (rest := source.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
            pass
        yield None


def _read(line: bytes | None) -> tuple[Any, str]:
    """A line's object, or why there is none."""
    if line is None:
        return None, f"longer than {LONGEST_LINE >> 20} MiB"
    try:
        case = orjson.loads(line)
    except orjson.JSONDecodeError:
        # Python's own reader also takes NaN, lone surrogates and numbers of any size, which other writers produce.
        try:
            case = json.loads(line)
        except RecursionError:
            return None, "nested too deeply"
        except ValueError as exc:
            return None, f"not valid JSON: {exc}"
    return (case, "") if isinstance(case, dict) else (None, "not a JSON object")


def _written(told: dict[str, Any]) -> bytes:
    """One line of valid JSON, whatever the case held."""
    if not isinstance(told["id"], str | int) or isinstance(told["id"], bool):
        told["id"] = None
    try:
        return orjson.dumps(told, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:
        return json.dumps(told).encode() + b"\n"
