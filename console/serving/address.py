"""Where this console is reached: what `up` and `serve` know, and a command beside them wants to know."""

from contextlib import suppress
from pathlib import Path

from django.conf import settings

USUAL = "http://127.0.0.1:8000"


def address(host: str, port: int) -> str:
    """Give the address a person on this machine types; one that listens everywhere answers here too."""
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  # read, not bound
    return f"http://[{here}]:{port}" if ":" in here else f"http://{here}:{port}"


def remember(served_at: str) -> None:
    """Keep the address for commands that are run beside the server; a folder that is read-only keeps none."""
    with suppress(OSError):
        _kept().write_text(served_at + "\n", encoding="ascii")


def reached_at() -> str:
    """Give `PUBLIC_URL`, else where it was served last, else where it is served by itself."""
    if settings.PUBLIC_URL:
        return str(settings.PUBLIC_URL)
    try:
        return _kept().read_text(encoding="ascii").strip() or USUAL
    except (OSError, ValueError):
        return USUAL


def _kept() -> Path:
    return Path(settings.DATA_DIR) / "address"
