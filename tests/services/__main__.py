"""Runs a command with PostgreSQL and Valkey behind it: `python -m tests.services COMMAND …`.

Servers that DATABASE_URL or REDIS_URL already name are used as they are.
"""

import os
import signal
import subprocess
import sys
from contextlib import ExitStack

from tests.services.postgres import postgres
from tests.services.valkey import valkey

STARTERS = {"DATABASE_URL": postgres, "REDIS_URL": valkey}


def main(argv):
    """Start what is missing, run the command, give its exit code."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with ExitStack() as stack:
        for name, start in STARTERS.items():
            if not os.environ.get(name):
                os.environ[name] = stack.enter_context(start())
        return subprocess.run(argv, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
