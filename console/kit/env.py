"""Environment in, typed settings out. A wrong value stops the start and names its variable."""

import os
import secrets
import tempfile
from contextlib import suppress
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

OWN_NAMES = ("localhost", "127.0.0.1", "[::1]")  # by which a machine reaches itself


def text(name: str, default: str = "") -> str:
    """Give the variable as it stands, or the default."""
    return os.environ.get(name, default)


def flag(name: str, default: bool) -> bool:  # noqa: FBT001  # a reader's default is its second argument
    """Give a yes or no; only the words `true` and `false` are taken."""
    match os.environ.get(name):
        case None | "":
            return default
        case "true" | "false" as word:
            return word == "true"
        case other:
            raise ImproperlyConfigured(f"{name} must be 'true' or 'false', not {other!r}.")


def number(name: str, default: int, *, least: int = 0) -> int:
    """Give a whole number of at least `least`."""
    given = os.environ.get(name)
    if not given:
        return default
    if not given.isascii() or not given.isdigit() or int(given) < least:
        raise ImproperlyConfigured(f"{name} must be a whole number of at least {least}, not {given!r}.")
    return int(given)


def words(name: str, default: tuple[str, ...] = ()) -> list[str]:
    """Give a comma-separated list without blanks."""
    given = os.environ.get(name)
    if given is None:
        return list(default)
    return [word.strip() for word in given.split(",") if word.strip()]


def networks(name: str) -> list[IPv4Network | IPv6Network]:
    """Give a comma-separated list of networks, as in `10.0.0.0/8, fd00::/8`."""
    try:
        return [ip_network(word) for word in words(name)]
    except ValueError as exc:
        raise ImproperlyConfigured(f"{name} must be networks as in '10.0.0.0/8': {exc}.") from exc


def secret(name: str) -> str | None:
    """Give a secret from the variable, or from the file that NAME_FILE names."""
    if file := os.environ.get(f"{name}_FILE"):
        return Path(file).read_text(encoding="utf-8").strip()
    return os.environ.get(name) or None


def folder(path: Path) -> Path:
    """Give a folder that can be written, made where it is missing."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as exc:
        raise ImproperlyConfigured(
            f"{path} cannot be made ({exc.strerror}): SWITCHBOARD_DATA must be a folder of your own."
        ) from exc
    if not os.access(path, os.W_OK):
        raise ImproperlyConfigured(
            f"{path} cannot be written: SWITCHBOARD_DATA must be a folder of your own."
        )
    return path


def stored_secret(path: Path) -> str:
    """Give the secret that is kept in a file, making it on the first start; readable by its owner alone."""
    if not path.exists():
        folder(path.parent)
        # Made under another name and linked whole: a second process never reads half of it.
        handle, made = tempfile.mkstemp(dir=path.parent, prefix=".secret-")
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(48))
        with suppress(FileExistsError):  # another process made it a moment ago; theirs is the one
            os.link(made, path)
        Path(made).unlink()
    return path.read_text(encoding="ascii")
