"""An OTLP export received: its tool spans become calls, the others context."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import orjson

from console.kit.clean import clean, clean_text
from telemetry.contract import RejectedCall
from telemetry.domain.buckets import minute_of
from telemetry.domain.hostile import NotJson, read
from telemetry.domain.otlp import BadSpan, Context, Span, Undecodable, from_json, from_protobuf, translate
from telemetry.domain.otlp.wire import JSON
from telemetry.operations import transport
from telemetry.operations.intake import Submission, submissions_of
from telemetry.operations.prepare import Knowledge
from telemetry.operations.rows import ContextRow

INFRASTRUCTURE = frozenset({
    "http.request.method", "http.method", "db.system", "db.system.name", "messaging.system", "rpc.system",
})  # fmt: skip
SHOWN_REASONS = 5
BAD_SPAN = "BAD_SPAN"  # what the ledger says of a span that is none


@dataclass(frozen=True, slots=True)
class Export:
    """A request's calls ready to store, in submissions of bounded size, and the spans that were refused."""

    submissions: tuple[Submission, ...]
    rejected: int
    message: str


def export(
    body: bytes, *, media: str, agent_id: int, key_id: int, at: datetime, knowledge: Knowledge
) -> Export:
    """Read an export and translate it. Raises Undecodable. Asks the database what is known of neighbouring spans."""
    read_spans = _from_json(body) if media == JSON else from_protobuf(body)
    spans = [one for one in read_spans if isinstance(one, Span)]
    bad = tuple(
        RejectedCall(index=index, call_id=None, code=BAD_SPAN, detail=one.reason)
        for index, one in enumerate(read_spans)
        if isinstance(one, BadSpan)
    )
    translated = translate(spans, tool_above=transport.tools_above(spans, agent_id=agent_id))
    said = submissions_of(translated.calls, agent_id=agent_id, key_id=key_id, at=at, knowledge=knowledge)
    contexts = _rows(translated.contexts, spans, agent_id, minute_of(at))
    if said:  # with the last of them, so that its calls are stored when others find them
        said[-1] = replace(said[-1], contexts=contexts, rejected=(*said[-1].rejected, *bad))
    elif contexts or bad:
        said = [Submission(agent_id, key_id, (), bad, len(body), at, contexts)]
    refused = [no.detail for one in said for no in one.rejected]
    return Export(tuple(said), len(refused), "; ".join(sorted(set(refused))[:SHOWN_REASONS]))


def _from_json(body: bytes) -> list[Span | BadSpan]:
    try:
        value, _ = read(body)
    except NotJson as exc:
        raise Undecodable(f"the body is no JSON: {exc}") from exc
    return from_json(value)


def _failed(context: Context) -> str:
    """Write what a message that failed says of it, for whoever finds the call that it carried."""
    return (
        "" if context.failed is None else orjson.dumps(clean(context.failed, text_limit=2_000).value).decode()
    )


def _rows(
    contexts: Sequence[Context], spans: Sequence[Span], agent_id: int, minute: int
) -> tuple[ContextRow, ...]:
    """Keep what may stand above a call; requests to databases and services stand below."""
    return tuple([
        (
            agent_id, one.trace_id, one.span_id, one.parent_id[:16], clean_text(one.session_id, limit=128),
            clean_text(one.agent, limit=128), clean_text(one.tool, limit=200), one.is_mcp,
            clean_text(one.call_id, limit=128), minute, _failed(one),
        )
        for one, span in zip(contexts, spans, strict=True)
        if one.tool or INFRASTRUCTURE.isdisjoint(span.attributes)
    ])  # fmt: skip
