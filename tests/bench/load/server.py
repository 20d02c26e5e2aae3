"""A console of its own for a benchmark: its port, a key, and what its process has used."""

import os
import resource
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from console.bootstrap import children
from tests.live.house import MANAGE, free_port, manage, started_by

READY_WITHIN_S = 60


@dataclass
class Serving:
    """A console that answers."""

    port: int
    key: str
    pid: int

    def rss(self):
        """Bytes that its process holds."""
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * resource.getpagesize()

    def cpu(self):
        """Seconds of processor time that its process has used, and those it has started."""
        used = 0
        for pid in (self.pid, *started_by(self.pid)):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            used += int(fields[11]) + int(fields[12])
        return used / os.sysconf("SC_CLK_TCK")


@contextmanager
def console(env, *, workers=1):
    """Start one of so many processes on these settings, with an agent's key."""
    port = free_port()
    manage(env, "migrate", "-v0")
    key = manage(env, "agent", "create", "bench").split()[-1]
    serving = children.start(
        "console", [*MANAGE, "serve", "--port", str(port), "--workers", str(workers)], env=env
    )
    try:
        wait_until_ready(port)
        yield Serving(port, key, serving.process.pid)
    finally:
        children.stop([serving])


def wait_until_ready(port):
    until = time.monotonic() + READY_WITHIN_S
    while time.monotonic() < until:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
    raise SystemExit("The console did not start.")
