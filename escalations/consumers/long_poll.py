"""`GET …/decision?wait=`: a plain ASGI function that waits without holding a thread, and answers the same row."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

import orjson

from console.kit.asgi import Receive, Scope, Send, answer
from console.kit.http import STATUS, NotSignedIn, headers_of
from console.kit.refusal import FieldError, Kind, Refused
from escalations import contract, queries
from escalations.consumers.hub import hub
from escalations.consumers.pool import reads
from escalations.queries import Waiting
from escalations.queries.wire import spelled
from telemetry.queries.keys import aprincipal_of, forget_keys, stranger

LONGEST_S = 60.0
KEYS = "keys"  # the topic of hints about revoked keys
Look = Callable[..., contract.Decision | None]


class BadWait(Refused):
    """The query string cannot be read."""

    kind, code = Kind.INVALID, "BAD_QUERY"


class Poll:
    """One request that waits."""

    __slots__ = ("agent_id", "ids", "sent", "stirred")

    def __init__(self, agent_id: str) -> None:
        self.agent_id = agent_id
        self.ids: set[UUID] = set()
        self.sent: dict[UUID, UUID] = {}
        self.stirred = asyncio.Event()

    def take(self, waiting: Waiting) -> None:  # noqa: ARG002  # the row is read once more, for the revision asked
        """Look again."""
        self.stirred.set()

    def hint(self, message: dict[str, Any]) -> None:
        """Show the key again where one of the agent's was revoked, whichever process remembers it."""
        if message.get("topic") == KEYS:
            forget_keys()
            self.stirred.set()


def waits(scope: Scope) -> bool:
    """Say whether a request asks to wait; the others are for Django."""
    return bool(parse_qs(scope["query_string"].decode("latin-1")).get("wait"))


async def long_poll(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer the decision as soon as there is one, 204 when the time is over, a refusal as every door does."""
    try:
        found = await _wait(scope, receive)
    except Refused as refusal:
        body = orjson.dumps(refusal.document())
        await answer(send, STATUS[refusal.kind], body, headers=headers_of(refusal))
        return
    if found is None:
        await answer(send, 204, b"")
    else:
        await answer(send, 200, orjson.dumps(spelled(found)))


async def _wait(scope: Scope, receive: Receive) -> contract.Decision | None:
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    header = headers.get(b"authorization", "")
    principal = await aprincipal_of(header)
    if principal is None:
        raise NotSignedIn("Show an agent's key: `Authorization: Bearer sb_…`.")
    case_id = UUID(scope["path_params"]["escalation_id"])
    asked = parse_qs(scope["query_string"].decode("latin-1"))
    seconds, revision = _seconds(asked["wait"][0]), _revision(asked.get("revision", [""])[0])
    poll = Poll(principal.actor.id)
    gone = asyncio.create_task(_gone(receive))
    await hub.join(poll)
    try:
        look = partial(queries.decision_about, case_id=case_id, actor=principal.actor, revision=revision)
        return await _until(poll, case_id, look, header=header, seconds=seconds, gone=gone)
    finally:
        gone.cancel()
        await hub.leave(poll)


async def _until(
    poll: Poll, case_id: UUID, look: Look, *, header: str, seconds: float, gone: "asyncio.Task[None]"
) -> contract.Decision | None:
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds
    watching = False
    while True:
        poll.stirred.clear()
        found = await reads.run(partial(look, at=datetime.now(UTC)))
        left = until - loop.time()
        if await aprincipal_of(header) is None:  # revoked while it waited: nothing goes out by it any more
            raise stranger(header)
        if found is not None or left <= 0 or gone.done():
            return found
        if not watching:  # only now is it known that the case is there and the agent's own
            hub.watch(poll, [case_id])
            watching = True
        stirred = asyncio.create_task(poll.stirred.wait())
        await asyncio.wait({stirred, gone}, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        stirred.cancel()


async def _gone(receive: Receive) -> None:
    """Return when the client has gone: nobody is left to be answered."""
    while (await receive())["type"] != "http.disconnect":
        continue


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        wrong = FieldError("RANGE", "wait", f"seconds, from 0 to {LONGEST_S:g}", text[:40], "Send wait=25.")
        raise BadWait("`wait` cannot be read.", errors=(wrong,))
    return min(seconds, LONGEST_S)


def _revision(text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and int(text[:9]) > 0):
        wrong = FieldError(
            "RANGE", "revision", "a revision's number", text[:40], "Leave it out for the current one."
        )
        raise BadWait("`revision` cannot be read.", errors=(wrong,))
    return int(text[:9])
