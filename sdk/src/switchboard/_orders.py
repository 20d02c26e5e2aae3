"""What people order breakers to do: obeyed once, acknowledged, and remembered for breakers that are made later."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from pydantic import ValidationError

from switchboard._errors import BadAnswer
from switchboard._line import Line, RealLine
from switchboard._quiet import fault, log, once
from switchboard._talk import RETRIED, backoff, post, refusal
from switchboard._transport import Answer
from switchboard.wire import BreakerCommand, BreakerSnapshot, Obeyed

PATH = "/api/v1/breakers"
MOST_STANDING = 100
MOST_TRIES = 30
CAP_S = 15.0


class ReportsItself(Protocol):
    """What a breaker has to offer to be on the console's board."""

    @property
    def name(self) -> str: ...

    def snapshot(self) -> BreakerSnapshot: ...

    def obey(self, command: BreakerCommand) -> Obeyed: ...


class Orders:
    """The orders of one process. They come by long poll and by socket; each counts once."""

    def __init__(self, line: Line, breakers: Callable[[str], Sequence[ReportsItself]]) -> None:
        self._line = line
        self._breakers = breakers
        self._standing: dict[str, dict[str, BreakerCommand]] = {}
        self._obeyed: set[tuple[str, str]] = set()

    def take(self, row: Mapping[str, Any]) -> None:
        """Take one order, whichever way it came."""
        try:
            command = BreakerCommand.model_validate(row)
        except ValidationError as exc:
            fault("reading an order for a breaker", exc)
            return
        if command.instances is not None and self._line.process.instance not in command.instances:
            return
        standing = self._standing.setdefault(command.breaker, {})
        standing[command.command_id] = command
        if len(standing) > MOST_STANDING:
            del standing[min(standing, key=lambda name: standing[name].number)]
        if (command.breaker, command.command_id) not in self._obeyed:
            self._obey(command, self._breakers(command.breaker))

    def catch_up(self, breaker: ReportsItself) -> None:
        """Let a breaker that was just made obey what is in force, in the order it was said."""
        standing = self._standing.get(breaker.name, {}).values()
        for command in sorted(standing, key=lambda each: each.number):
            self._obey(command, [breaker])

    def _obey(self, command: BreakerCommand, breakers: Sequence[ReportsItself]) -> None:
        if not breakers:
            return  # it may be made later, and is told then
        self._obeyed.add((command.breaker, command.command_id))
        done, detail = Obeyed.EXPIRED, None
        if command.expires_at is None or command.expires_at > self._line.clock.now():
            try:
                done = [Obeyed(breaker.obey(command)) for breaker in breakers][-1]
            except Exception as exc:  # noqa: BLE001  # somebody's breaker: its fault is its answer
                fault(f"obeying {command.verb}", exc)
                done, detail = Obeyed.REFUSED, f"{type(exc).__name__}: {exc}"[:400]
        self._acknowledge(command, done, breakers[-1], detail)

    def _acknowledge(
        self, command: BreakerCommand, done: Obeyed, breaker: ReportsItself, detail: str | None
    ) -> None:
        said: dict[str, Any] = {
            "command_id": command.command_id,
            "instance": self._line.process.instance,
            "status": done.value,
            "state": str(breaker.snapshot().state),
            "at": self._line.clock.now().isoformat(),
        }
        if detail is not None:
            said["detail"] = detail
        work = self._send(said)
        if isinstance(self._line, RealLine):
            self._line.submit(work)
        else:
            self._line.engine.run(work)

    async def _send(self, said: dict[str, Any]) -> None:
        request = post(f"{PATH}/commands/ack", json.dumps(said).encode("utf-8", "replace"))
        for tries in range(1, MOST_TRIES):
            answer = await self._line.talk.once(request)
            if answer is not None and answer.status not in RETRIED:
                complain(answer)
                return
            await self._line.clock.sleep(backoff(tries, cap=CAP_S))


def complain(answer: Answer) -> None:
    """Say once what the console did not take."""
    if answer.status >= 300:
        no = refusal(answer)
        if once(f"breakers {no.code}"):
            log.warning("The console did not take what breakers said: %s", no)
        return
    try:
        rejected = answer.mapping().get("rejected")
    except BadAnswer:
        return
    for each in rejected if isinstance(rejected, list) else ():
        if isinstance(each, dict) and once(f"breaker event {each.get('code')}"):
            log.warning("The console rejected a breaker event: %s %s", each.get("code"), each.get("detail"))
