"""A console of its own for one journey: a data folder, a port, and every process it needs.

Embedded it is one process. With DATABASE_URL and REDIS_URL set it is a web process, a worker and a beat,
on a database made for it: the same journey passes both ways.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg

from console.bootstrap import children

ROOT = Path(__file__).resolve().parents[2]
MANAGE = [sys.executable, str(ROOT / "manage.py")]
CELERY = [sys.executable, "-m", "celery", "-A", "console", "--quiet"]
READY_WITHIN_S = 40
TOKEN = """
from django.utils.timezone import now
from console.kit.actor import SYSTEM
from console.people import operations, queries
print(operations.issue_token(person_id=queries.person_named("{name}"), label="journey", by=SYSTEM, at=now()))
"""


@dataclass
class House:
    """A running console; `url` is where it answers."""

    home: Path
    port: int
    env: dict[str, str]
    workers: int = 1
    web: children.Child | None = None
    helpers: list[children.Child] = field(default_factory=list)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def socket_url(self):
        return f"ws://127.0.0.1:{self.port}"

    def start(self):
        """Start the web process and wait until it is ready."""
        serve = ["serve", "--port", str(self.port), "--workers", str(self.workers)]
        self.web = self._child("web", [*MANAGE, *serve])
        self._wait()

    def start_helpers(self):
        """Start worker and beat where they are processes of their own."""
        if "REDIS_URL" in self.env:
            worker = [*CELERY, "worker", "--pool", "threads", "--concurrency", "2"]
            self.helpers = [self._child("worker", worker), self._child("beat", [*CELERY, "beat"])]

    def kill(self):
        """End the web process the hard way: no handler of it runs."""
        children.stop([self.web], grace_s=0)

    def restart(self):
        """Start the web process again, on the same data and port."""
        self.start()

    def stop(self):
        """End everything."""
        children.stop(
            [child for child in (self.web, *self.helpers) if child and child.process.poll() is None]
        )

    def manage(self, *argv):
        """Run one of our commands on this console's data; give what it printed."""
        return manage(self.env, *argv)

    def sign_in_link(self, name, *roles):
        """Add a person; give a one-time link."""
        printed = self.manage("person", "add", name, *[f"--role={role}" for role in roles], "--url", self.url)
        return printed.split()[-1]

    def token(self, name):
        """Issue a token for REST to a person who was added."""
        return self.manage("shell", "--verbosity", "0", "-c", TOKEN.format(name=name)).split()[-1]

    def log(self, name="web"):
        """Give what a process has printed so far."""
        return (self.home / f"{name}.log").read_text(errors="replace")

    def _child(self, name, argv):
        with (self.home / f"{name}.log").open("ab") as out:
            return children.start(name, argv, env=self.env, out=out, cwd=str(ROOT))

    def _wait(self):
        until = time.monotonic() + READY_WITHIN_S
        while time.monotonic() < until and self.web.process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.url}/readyz", timeout=5):
                    return
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.05)
        raise AssertionError(f"The server did not get ready: {self.log()}")


def build(home, *, template, workers=1):
    """Make a console of so many processes in `home`, its tables copied from `template` where they are a file."""
    env = {**os.environ, "SWITCHBOARD_DATA": str(home), "LOG_LEVEL": "WARNING"}
    if "DATABASE_URL" in os.environ:
        env["DATABASE_URL"] = new_database(os.environ["DATABASE_URL"])
        manage(env, "prepare")
    else:
        shutil.copytree(template, home, dirs_exist_ok=True)
    house = House(home, free_port(), env, workers)
    try:
        house.start()
        house.start_helpers()
    except BaseException:
        house.stop()
        raise
    return house


def prepared(home):
    """Make the data folder that every embedded console of this run starts from."""
    manage({**os.environ, "SWITCHBOARD_DATA": str(home)}, "prepare")
    return home


def manage(env, *argv):
    """Run one of our commands; give what it printed."""
    done = subprocess.run([*MANAGE, *argv], env=env, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def new_database(url):
    """Create a database on the server of a DATABASE_URL; give its own address."""
    name = f"journey_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


def started_by(pid):
    """The processes that a process has started and that still live."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return {int(child) for task in tasks for child in (task / "children").read_text().split()}


def free_port():
    """Find a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
