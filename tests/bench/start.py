"""How long `manage.py up` takes to "Ready" on a machine that is set up: the first start, then five more."""

import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.live.house import free_port

ROOT = Path(__file__).resolve().parents[2]
READY = re.compile(r"Ready at \S+ after (\d+\.\d) s")


def one(home):
    """Start it, read the seconds it says, stop it."""
    argv = [sys.executable, str(ROOT / "manage.py"), "up", "--port", str(free_port())]
    env = {**os.environ, "SWITCHBOARD_DATA": home}
    env.pop("SWITCHBOARD_STARTED", None)
    with subprocess.Popen(argv, env=env, stdout=subprocess.PIPE, text=True) as started:
        for line in started.stdout:
            if found := READY.match(line):
                started.send_signal(signal.SIGINT)
                started.stdout.read()
                return float(found[1])
    raise SystemExit("It did not get ready.")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        first, *later = [one(folder) for _ in range(6)]
    print(
        f"first start {first:.1f} s; later starts median {statistics.median(later):.1f} s, worst {max(later):.1f} s"
    )
