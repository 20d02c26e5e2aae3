"""`POST /v1/traces`: OTLP over HTTP, protobuf and JSON, before Django; answered after the commit."""

import asyncio
from datetime import UTC, datetime
from functools import partial

from django.conf import settings
from django.db import close_old_connections

from console.kit.asgi import Receive, Scope, Send, answer
from console.kit.bodies import check_length, media_type, unpacked
from console.kit.http import STATUS, headers_of
from console.kit.refusal import Refused
from telemetry.domain.otlp import Undecodable, export_answer, refusal
from telemetry.domain.otlp.wire import JSON, PROTOBUF
from telemetry.ingest.shared import parsers, whole_body
from telemetry.operations.traces import Export, export
from telemetry.operations.writer import writer
from telemetry.queries.keys import AgentPrincipal, aprincipal_of, stranger

MEDIA = frozenset({PROTOBUF, JSON})
BAD_REQUEST = 400


async def traces_app(scope: Scope, receive: Receive, send: Send) -> None:
    """Take an export whole: what is refused of it is told by `partialSuccess`, and is not to be sent again."""
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    media = headers.get(b"content-type", "").partition(";")[0].strip().lower()
    spoken = media if media in MEDIA else JSON
    try:
        done = await _receive(headers, receive)
        if done is None:
            return
        for said in done.submissions:
            await writer.write(said)
    except Undecodable as exc:
        status, body, more = BAD_REQUEST, refusal(spoken, status=BAD_REQUEST, message=str(exc)), {}
    except Refused as no:
        status = STATUS[no.kind] if STATUS[no.kind] != 422 else BAD_REQUEST
        body, more = refusal(spoken, status=status, message=no.detail), headers_of(no)
    else:
        status, more = 200, {}
        body = export_answer(spoken, rejected=done.rejected, message=done.message)
    await answer(send, status, body, content_type=spoken.encode(), headers=more)


async def _receive(headers: dict[bytes, str], receive: Receive) -> Export | None:
    agent = await aprincipal_of(headers.get(b"authorization", ""))
    if agent is None:
        raise stranger(headers.get(b"authorization", ""))
    writer.check()
    limit = settings.OTLP_MAX_BODY_BYTES
    check_length(headers.get(b"content-length"), limit=limit)
    media = media_type(headers.get(b"content-type", ""), allowed=MEDIA)
    packed = await whole_body(receive, limit)
    if packed is None:
        return None
    encoding, at = headers.get(b"content-encoding", ""), datetime.now(UTC)
    work = partial(_export, packed, encoding, limit=limit, media=media, agent=agent, at=at)
    return await asyncio.get_running_loop().run_in_executor(parsers, work)


def _export(
    packed: bytes, encoding: str, *, limit: int, media: str, agent: AgentPrincipal, at: datetime
) -> Export:
    close_old_connections()
    try:
        return export(
            unpacked(packed, encoding, limit=limit),
            media=media,
            agent_id=agent.agent_id,
            key_id=agent.key_id,
            at=at,
            knowledge=writer.knowledge,
        )
    finally:
        close_old_connections()
