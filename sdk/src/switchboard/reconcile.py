"""Asks the world whether a write happened, by a read that the tool names."""

from typing import Any

from switchboard._ids import uuid7
from switchboard.logical import LogicalCall
from switchboard.runtime import Runtime
from switchboard.tool import next_args


async def reconcile(runtime: Runtime, call: LogicalCall) -> Any:
    """What the read found, or None. Nothing found is no proof: the write may still be on its way."""
    # Each look is a new one: what an earlier look found may have changed since.
    link = call.tool.reconcile
    reader = call.session.box.tools.get(link.tool) if link else None
    if link is None or reader is None:
        return None
    given = next_args(
        link, reader.signature.names, args={**call.args.plain, "idempotency_key": call.sent_key}, result=None
    )
    result = await call.session.path.make(
        runtime,
        reader.name,
        given,
        logical_id=f"{call.logical_id}/reconcile/{uuid7()}",
        inner=True,
    )
    return result.data if result.ok else None
