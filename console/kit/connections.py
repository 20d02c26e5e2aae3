"""The two addresses that switch between embedded and at scale, read into what Django wants."""

from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from console.kit.env import folder

# WAL lets pages read while reports are written; FULL makes "acknowledged" mean "on the disk";
# IMMEDIATE takes the write lock at once, so that a transaction never fails half-way for want of it.
# Every thread has a connection, and each has this much of the file in memory: little, and nothing mapped. Pages are
# as fast with it; the one thread that writes reports asks for more (`telemetry.operations.sqlite`).
SQLITE_PRAGMAS = (
    "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;PRAGMA cache_size=-2000;PRAGMA temp_store=MEMORY;"
    "PRAGMA mmap_size=0;PRAGMA journal_size_limit=67108864;"
)


def database(url: str | None, default: Path) -> dict[str, object]:
    """Give Django's settings for `postgresql://…`, `sqlite:///path`, or SQLite at `default` where none is set."""
    if not url:
        folder(default.parent)
        return _sqlite(str(default))
    parts = urlsplit(url)
    match parts.scheme:
        case "sqlite":
            return _sqlite(unquote(parts.path[1:]) or ":memory:")
        case "postgres" | "postgresql":
            return {
                "ENGINE": "django.db.backends.postgresql",
                "NAME": unquote(parts.path[1:]),
                "USER": unquote(parts.username or ""),
                "PASSWORD": unquote(parts.password or ""),
                "HOST": unquote(parts.hostname or ""),
                "PORT": str(parts.port or ""),
                "CONN_MAX_AGE": 60,
                "CONN_HEALTH_CHECKS": True,
                "OPTIONS": dict(parse_qsl(parts.query)),
            }
        case other:
            raise ImproperlyConfigured(
                f"DATABASE_URL must begin with postgresql:// or sqlite:///, not {other!r}."
            )


def redis_url(url: str | None) -> str | None:
    """Give the address of Redis or Valkey, or None for the embedded way of running."""
    if not url:
        return None
    if urlsplit(url).scheme not in {"redis", "rediss", "unix"}:
        raise ImproperlyConfigured("REDIS_URL must begin with redis://, rediss:// or unix://.")
    return url


def _sqlite(name: str) -> dict[str, object]:
    options = {"transaction_mode": "IMMEDIATE", "timeout": 20, "init_command": SQLITE_PRAGMAS}
    return {"ENGINE": "console.kit.sqlite3_in_turn", "NAME": name, "CONN_MAX_AGE": 60, "OPTIONS": options}
