"""Where the console is, who this agent is, and how long anything may take."""

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from switchboard._canonical import digest
from switchboard._errors import Misconfigured
from switchboard._ids import boot_id, instance_name

SPOOL_LIMIT = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Config:
    """What a client was made with, checked."""

    url: str
    key: str
    agent_version: str | None
    instance: str | None
    timeout_s: float
    session_id: str | None
    spool: Path | None
    spool_limit: int = SPOOL_LIMIT

    @property
    def socket_url(self) -> str:
        """Where the agent socket is: the same host, `ws` for `http` and `wss` for `https`."""
        return "ws" + self.url.removeprefix("http") + "/ws/agent/v1"


@dataclass(slots=True)
class Process:
    """Who this process is to the console. A fork makes another one."""

    boot: str
    instance: str
    pid: int

    @classmethod
    def of(cls, config: Config, *, forked: bool = False) -> Self:
        """Give the identity of this process; a child of a named one adds its number to the name."""
        boot = boot_id()
        named = f"{config.instance}-{os.getpid()}" if forked else config.instance
        return cls(
            boot=boot, instance=named if config.instance and named else instance_name(boot), pid=os.getpid()
        )


def read_config(
    *,
    url: str | None,
    key: str | None,
    agent_version: str | None,
    instance: str | None,
    timeout_s: float,
    session_id: str | None,
    spool: Path | str | None,
) -> Config:
    """Give the settings, from the arguments and then from SWITCHBOARD_URL and SWITCHBOARD_KEY.

    Raises Misconfigured with the name of what is missing.
    """
    address = (url or os.environ.get("SWITCHBOARD_URL", "")).rstrip("/")
    secret = key or os.environ.get("SWITCHBOARD_KEY", "")
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise Misconfigured(
            f"The console's address must look like https://switchboard.example, not {address!r}: "
            "give url= or set SWITCHBOARD_URL."
        )
    if not secret or not secret.isascii() or any(c.isspace() for c in secret):
        raise Misconfigured(
            "No usable agent key: give key= or set SWITCHBOARD_KEY. The console's page of agents makes one, "
            "and so does `manage.py agent create NAME`."
        )
    if timeout_s <= 0:
        raise Misconfigured(f"timeout_s must be above 0, not {timeout_s!r}: every call has a timeout.")
    return Config(
        url=address,
        key=secret,
        agent_version=agent_version,
        instance=instance,
        timeout_s=timeout_s,
        session_id=session_id,
        spool=_spool_folder(spool, address, secret),
    )


def _spool_folder(spool: Path | str | None, url: str, key: str) -> Path | None:
    """Give the folder for what cannot be sent: one per console and key, so that no key sends another's calls."""
    if spool is None:
        return None
    mine = digest([url, key])[:16]
    if spool != "auto":
        return Path(spool) / mine
    state = os.environ.get("SWITCHBOARD_SPOOL") or os.environ.get("XDG_STATE_HOME")
    home = Path.home() / ".local" / "state" if os.environ.get("HOME") else Path(tempfile.gettempdir())
    return (Path(state) if state else home) / "switchboard-spool" / mine
