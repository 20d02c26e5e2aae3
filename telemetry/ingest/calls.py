"""The hot path: `POST /api/v1/calls` as a plain ASGI function, mounted before Django.

The DRF view of the same address (`api.Calls`) shares everything but the HTTP: authentication, contract, refusals and
the transaction are the same functions, and a test compares the two.
"""

import asyncio
from datetime import UTC, datetime
from functools import partial

import orjson
from django.conf import settings

from console.kit.asgi import Receive, Scope, Send, answer
from console.kit.bodies import check_length, media_type, unpacked
from console.kit.http import STATUS, headers_of
from console.kit.refusal import Refused
from telemetry.ingest.shared import ON_THE_LOOP, parsers, whole_body
from telemetry.operations.intake import Submission, submission
from telemetry.operations.writer import writer
from telemetry.queries.keys import AgentPrincipal, aprincipal_of, stranger

JSON = frozenset({"application/json"})
LOOKED_AT = (b"authorization", b"content-length", b"content-type", b"content-encoding")


async def calls_app(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a report after its rows are committed, or refuse it as every door here does."""
    try:
        said = await _read(scope, receive)
        if said is None:  # the client has gone in the middle of its body
            return
        done = await writer.write(said)
    except Refused as refusal:
        body = orjson.dumps(refusal.document())
        await answer(send, STATUS[refusal.kind], body, headers=headers_of(refusal))
        return
    await answer(send, 207 if done.rejected else 200, done.written)


async def _read(scope: Scope, receive: Receive) -> Submission | None:
    said = dict(scope["headers"])
    authorization, length, media, encoding = [said.get(name, b"").decode("latin-1") for name in LOOKED_AT]
    agent = await aprincipal_of(authorization)
    if agent is None:
        raise stranger(authorization)
    writer.check()
    limit = settings.MAX_BODY_BYTES
    check_length(length, limit=limit)
    media_type(media, allowed=JSON)
    packed = await whole_body(receive, limit)
    if packed is None:
        return None
    parse = partial(_parse, packed, encoding, limit, agent, datetime.now(UTC))
    if len(packed) <= ON_THE_LOOP and not encoding:
        return parse()
    return await asyncio.get_running_loop().run_in_executor(parsers, parse)


def _parse(packed: bytes, encoding: str, limit: int, agent: AgentPrincipal, at: datetime) -> Submission:
    return submission(
        unpacked(packed, encoding, limit=limit),
        agent_id=agent.agent_id,
        key_id=agent.key_id,
        at=at,
        knowledge=writer.knowledge,
    )
