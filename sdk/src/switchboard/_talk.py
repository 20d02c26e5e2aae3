"""One question to the console, asked until it is answered or the deadline is reached."""

import random
from collections.abc import Mapping
from dataclasses import dataclass

from switchboard._errors import (
    BadAnswer,
    Conflict,
    IdempotencyConflict,
    NotFound,
    Refused,
    Unauthorized,
    Unreachable,
)
from switchboard._quiet import log, once
from switchboard._transport import Answer, NoAnswer, Request, Transport
from switchboard.clock import Clock
from switchboard.retry_after import retry_after_s

RETRIED = frozenset({408, 425, 429, 500, 502, 503, 504})
BASE_S, CAP_S = 0.2, 5.0
LONGEST_RETRY_AFTER_S = 300.0
SAID_AFTER = 3  # tries: until then it may be a restart


def refusal(answer: Answer) -> Refused:
    """Give the console's no as the exception it stands for."""
    try:
        said = answer.mapping()
    except BadAnswer:
        said = {}
    code = str(said.pop("code", f"HTTP_{answer.status}"))
    detail = str(said.pop("detail", ""))
    listed = said.pop("errors", None)
    errors = [each for each in listed if isinstance(each, Mapping)] if isinstance(listed, list) else []
    kind: type[Refused] = Refused
    if answer.status in {401, 403}:
        kind = Unauthorized
    elif answer.status == 404:
        kind = NotFound
    elif answer.status == 409:
        kind = IdempotencyConflict if code == "IDEMPOTENCY_CONFLICT" else Conflict
    return kind(detail, code=code, status=answer.status, errors=errors, extra=said)


def backoff(tries: int, *, base: float = BASE_S, cap: float = CAP_S) -> float:
    """Give a full-jitter pause before try number `tries` + 1, so that a fleet does not come back in step."""
    return random.uniform(0.0, min(cap, base * 2.0 ** min(tries - 1, 30)))  # noqa: S311  # spread, not secrecy


@dataclass(frozen=True, slots=True)
class Talk:
    """Sends requests whose repetition is harmless: every write of this wire is idempotent."""

    transport: Transport
    clock: Clock
    timeout_s: float

    def pause_after(self, answer: Answer | None, tries: int) -> float:
        """Give how long to wait: what the console asked for is a floor, with up to a tenth on top."""
        told = retry_after_s(answer.headers, at=self.clock.now()) if answer is not None else None
        if told is None:
            return backoff(tries)
        return min(told, LONGEST_RETRY_AFTER_S) * random.uniform(1.0, 1.1)  # noqa: S311

    async def once(self, request: Request, *, wait_s: float = 0) -> Answer | None:
        """Try one time, for what may wait `wait_s` at the console; None where nothing came back."""
        try:
            return await self.transport.send(request, timeout_s=self.timeout_s + wait_s)
        except NoAnswer:
            return None

    async def ask(self, request: Request, *, deadline_s: float) -> Answer:
        """Give the console's yes.

        Raises Refused for its no, and Unreachable where there was neither before the deadline.
        """
        until = self.clock.monotonic() + deadline_s
        tries = 0
        while True:
            tries += 1
            answer, reason = await self._try(request, until)
            if answer is not None and answer.status not in RETRIED:
                if answer.status < 300:
                    return answer
                raise refusal(answer)
            if tries == SAID_AFTER and once("unanswered"):
                log.warning(
                    "The console does not answer (%s). It is asked again for up to %g s.", reason, deadline_s
                )
            pause = self.pause_after(answer, tries)
            if self.clock.monotonic() + pause >= until:
                raise Unreachable(
                    f"No answer from the console within {deadline_s:g} s ({tries} tries): {reason}"
                )
            await self.clock.sleep(pause)

    async def _try(self, request: Request, until: float) -> tuple[Answer | None, str]:
        left = max(0.001, until - self.clock.monotonic())
        try:
            answer = await self.transport.send(request, timeout_s=min(self.timeout_s, left))
        except NoAnswer as exc:
            return None, str(exc)
        return answer, f"HTTP {answer.status}"


def post(path: str, body: bytes, headers: Mapping[str, str] | None = None) -> Request:
    """Give a POST with a JSON body."""
    return Request("POST", path, body, dict(headers or {}))
