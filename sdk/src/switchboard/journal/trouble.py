"""What is said when the journal cannot be written."""

import sqlite3

from switchboard._quiet import log, once


def say(exc: Exception, so: str) -> None:
    """One line for a disk that is full or gone, and not again for every call; whatever else it is comes with its traceback.

    The results of the calls say it each time.
    """
    if not isinstance(exc, sqlite3.Error | OSError):
        log.error("The journal cannot be written; %s.", so, exc_info=exc)
    elif once(f"journal: {so}: {exc}"):
        log.error("The journal cannot be written (%s); %s. This is said once.", exc, so)
