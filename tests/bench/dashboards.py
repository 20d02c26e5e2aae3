"""How long the queries behind every page take when ten million calls are stored.

`manage.py bench dashboards [--database sqlite|postgresql] [--calls 10000000] [--days 14] [--within 50]`

The store is filled by `load.history` (rows and counters of ingest's own shapes, no HTTP), first the newest two days, then
the rest; every query is timed at both moments: what a page costs must grow with its window, not with history. Cold is
the first run on a new connection, warm the median of the next ones; in milliseconds of the wall clock, with the
processor time of this process beside it, which on a busy machine is the steadier one on SQLite.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from contextlib import nullcontext
from pathlib import Path

from tests.services.postgres import postgres

ROOT = Path(__file__).resolve().parents[2]
CHILD = "import django; django.setup(); from tests.bench.load.timing import main; main()"


def main(argv):
    parser = argparse.ArgumentParser(prog="bench dashboards")
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--calls", type=int, default=10_000_000)
    parser.add_argument("--days", type=int, default=14)
    parser.add_argument("--within", type=float, default=50.0, help="milliseconds a query may take")
    options = parser.parse_args(argv)
    given = [f"--{name}={getattr(options, name)}" for name in ("calls", "days", "within")]
    server = postgres() if options.database == "postgresql" else nullcontext()
    with tempfile.TemporaryDirectory() as folder, server as url:
        env = {
            **os.environ,
            "SWITCHBOARD_DATA": folder,
            "LOG_LEVEL": "ERROR",
            **({"DATABASE_URL": url} if url else {}),
        }
        env["DJANGO_SETTINGS_MODULE"] = "console.settings"
        sys.exit(subprocess.call([sys.executable, "-c", CHILD, *given], env=env, cwd=ROOT))


if __name__ == "__main__":
    main(sys.argv[1:])
