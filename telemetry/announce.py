"""After commit, a hint to the people and agents concerned: look again. A hint may be lost; the rows are the truth."""

import threading
import time
from datetime import datetime

from django.db import transaction

from console.kit import hints

EVERY_S = 0.25


def calls_on_commit(*, at: datetime) -> None:
    """Tell pages that calls were counted, at most four times a second."""
    revision = int(at.timestamp() * 1000)
    transaction.on_commit(lambda: _calls.tell(revision), robust=True)


def breaker_on_commit(*, name: str, revision: int) -> None:
    """Tell pages that a breaker changed."""
    _on_commit("people.breakers", "breakers", name, revision)


def command_on_commit(*, breaker: str, number: int, agents: frozenset[int]) -> None:
    """Tell pages and the agents' long polls and sockets that there is a command."""
    _on_commit("people.breakers", "breakers", breaker, number)
    for agent in sorted(agents):
        _on_commit(agent_group(agent), "breaker_commands", breaker, number, agent_id=str(agent))


def key_revoked_on_commit(*, agent: int, key_id: int) -> None:
    """Tell the agent's long polls and sockets to show their keys again: one of them opens nothing any more."""
    _on_commit(agent_group(agent), "keys", str(key_id), key_id, agent_id=str(agent))


def spike_on_commit(*, spike_id: int, at: datetime) -> None:
    """Tell pages that a spike opened, closed or was acknowledged."""
    _on_commit("people.telemetry", "spikes", str(spike_id), int(at.timestamp() * 1000))


def agent_group(agent_id: int) -> str:
    """Give the group that an agent's sockets and long polls listen to."""
    return f"agent.{agent_id}"


def _on_commit(group: str, topic: str, id: str, revision: int, **more: str) -> None:  # noqa: A002  # the hint's own word
    transaction.on_commit(lambda: send(group, topic, id, revision, **more), robust=True)


def send(group: str, topic: str, id: str, revision: int, **more: str) -> None:  # noqa: A002  # the hint's own word
    """Send one hint from any thread, and wait for nothing."""
    hints.send(group, {"type": "hint", "topic": topic, "id": id, "revision": revision, **more})


class Coalesced:
    """Sends at once after silence, then at most every `every_s`; the last one is never lost."""

    def __init__(self, group: str, topic: str, id: str, *, every_s: float = EVERY_S) -> None:  # noqa: A002
        self._hint = (group, topic, id)
        self._every_s = every_s
        self._lock = threading.Lock()
        self._sent_at = float("-inf")
        self._revision = 0
        self._timer: threading.Timer | None = None

    def tell(self, revision: int) -> None:
        """Send now, or let the timer that runs send the newest."""
        with self._lock:
            self._revision = max(self._revision, revision)
            if self._timer is not None:
                return
            wait = self._sent_at + self._every_s - time.monotonic()
            if wait > 0:
                self._timer = threading.Timer(wait, self._late)
                self._timer.daemon = True
                self._timer.start()
                return
            self._sent_at = time.monotonic()
        send(*self._hint, revision)

    def _late(self) -> None:
        with self._lock:
            self._timer = None
            self._sent_at = time.monotonic()
            revision = self._revision
        send(*self._hint, revision)


_calls = Coalesced("people.telemetry", "telemetry", "calls")
