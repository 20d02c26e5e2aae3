"""The demo's processes: the travel service and three agents, started, watched, started again, and ended together."""

import os
import socket
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from console.bootstrap import children

ROOT = Path(__file__).resolve().parents[2]
LOOK_EVERY_S = 0.5
PATIENCE_S = 2.0


@dataclass(frozen=True)
class Member:
    """One process of the fleet: its arguments for Python and what is added to its environment."""

    name: str
    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)

    def start(self) -> children.Child:
        """Start it, tied to this process."""
        argv = [sys.executable, "-m", *self.argv]
        return children.start(self.name, argv, env={**os.environ, **self.env}, cwd=str(ROOT))


def members(
    *,
    console: str,
    keys: Mapping[str, str],
    data: Path,
    rate: float,
    port: int,
    seed: int = 1,
    service: tuple[str, ...] = (),
    agents: tuple[str, ...] = (),
) -> tuple[Member, ...]:
    """The whole fleet. `service` and `agents` are further arguments for either kind of process."""
    travel = ("console.demo.travel", "--port", str(port), "--data", str(data), "--seed", str(seed), *service)
    common = ("--console", console, "--service", f"http://127.0.0.1:{port}", "--data", str(data))
    booking = [
        Member(
            name,
            ("console.demo.agents", name, *common, "--rate", str(rate), *agents),
            {"SWITCHBOARD_KEY": key},
        )
        for name, key in keys.items()
    ]
    return (Member("travel-service", travel), *booking)


class Fleet:
    """Keeps every member running until it is closed."""

    def __init__(self, crew: tuple[Member, ...], *, say: Callable[[str], object]) -> None:
        self._say = say
        self._crew = {member.name: member for member in crew}
        self._running = {member.name: member.start() for member in crew}
        self._again_at: dict[str, float] = {}

    @property
    def pids(self) -> dict[str, int]:
        """The process of each member, by name."""
        return {name: child.process.pid for name, child in self._running.items()}

    def look(self) -> None:
        """Start again what has ended, each after a short wait."""
        for name, child in self._running.items():
            if (code := child.process.poll()) is None:
                continue
            if name not in self._again_at:
                self._say(f"{name} has ended ({code}); it is started again.")
                self._again_at[name] = time.monotonic() + PATIENCE_S
            elif time.monotonic() >= self._again_at[name]:
                children.stop([child])
                del self._again_at[name]
                self._running[name] = self._crew[name].start()

    def watch(self) -> None:
        """Look after the fleet for ever."""
        while True:
            self.look()
            time.sleep(LOOK_EVERY_S)

    def close(self) -> None:
        """End all of it."""
        children.stop(self._running.values())
        self._running.clear()


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
