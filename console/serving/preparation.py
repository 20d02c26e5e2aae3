"""What must be so before the first request: the tables as the code expects them, the static files collected."""

import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

Say = Callable[[str], None]


def migrate(say: Say) -> None:
    """Apply the migrations that are not applied; nothing to do costs one look."""
    executor = MigrationExecutor(connection)
    ahead = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if ahead:
        say(f"Database: applying {len(ahead)} migrations")
        call_command("migrate", interactive=False, verbosity=0)


def collect_static(say: Say) -> None:
    """Collect the static files under hashed names, where a source changed since the last time."""
    root = Path(settings.STATIC_ROOT)
    kept = root / ".sources"
    now = static_sources_digest()
    if kept.exists() and kept.read_text(encoding="utf-8") == now:
        return
    say("Static files: collecting")
    root.mkdir(parents=True, exist_ok=True)
    call_command("collectstatic", interactive=False, verbosity=0, clear=True)
    kept.write_text(now, encoding="utf-8")


def static_sources_digest() -> str:
    """Digest the name, size and time of change of every source file, and how they are stored."""
    digest = hashlib.sha256(repr(settings.STORAGES["staticfiles"]).encode())
    for line in sorted(_sources()):
        digest.update(line.encode())
    return digest.hexdigest()


def _sources() -> Iterator[str]:
    for finder in get_finders():
        for path, storage in finder.list([]):
            seen = os.stat(storage.path(path))  # noqa: PTH116  # os.stat on a str: this runs at every start
            yield f"{path}\0{seen.st_size}\0{seen.st_mtime_ns}\n"
