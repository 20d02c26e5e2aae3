"""A command of the house, with what cannot be done said in one sentence instead of a traceback."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import OperationalError, ProgrammingError
from django.db.utils import DatabaseError

NOT_SET_UP = ("no such table", "no such column", "does not exist")


def run(argv: Sequence[str]) -> None:
    """Run the command; `--traceback` lets out where something failed, as with every command of Django."""
    if "--traceback" in argv:
        execute_from_command_line(list(argv))
        return
    with _in_a_sentence():
        execute_from_command_line(list(argv))


@contextmanager
def _in_a_sentence() -> Iterator[None]:
    try:
        yield
    except ImproperlyConfigured as refusal:
        sys.exit(str(refusal))
    except (OperationalError, ProgrammingError) as refusal:
        sys.exit(sentence(refusal))
    except KeyboardInterrupt:
        sys.exit(130)


def sentence(refusal: DatabaseError) -> str:
    """Say what the database refused and what to do about it."""
    said = next(iter(str(refusal).splitlines()), type(refusal).__name__)
    if any(word in said for word in NOT_SET_UP):
        return f"The database is not set up for this code ({said}): `manage.py up` or `manage.py prepare` does that."
    return f"The database refused: {said}. With --traceback the command says where."
