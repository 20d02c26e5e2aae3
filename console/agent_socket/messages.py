"""What an agent says on its socket, and what it is answered; every refusal has the shape of all refusals."""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, Protocol
from uuid import UUID

import orjson

from console.kit.actor import Actor
from console.kit.clean import clean, clean_text
from console.kit.refusal import FieldError, Kind, Refused
from escalations import contract, operations, queries
from escalations.consumers import Waiter, hub, reads, writes
from escalations.domain.permissions import NoSuchCase
from escalations.vocabulary import Source
from telemetry.contract import AcknowledgeCommand
from telemetry.operations.breakers import acknowledge_command

LONGEST = 1 << 20
SHORT = 200  # characters of what is repeated in a refusal
ABOUT = ("type", "decision_id", "command_id", "escalation_ids")


class NotUnderstood(Refused):
    """The message is no JSON object of a known type."""

    kind, code = Kind.INVALID, "NOT_UNDERSTOOD"


class Speaker(Waiter, Protocol):
    """The socket that speaks."""

    agent: Actor


@dataclass(frozen=True, slots=True)
class Heard:
    """One frame, as text or bytes."""

    text: str | None
    bytes: bytes | None


async def hear(socket: Speaker, frame: Heard) -> dict[str, Any] | None:
    """Do what a message asks; give the answer to send, None where there is none."""
    about: dict[str, Any] = {}
    try:
        raw = frame.text.encode() if frame.text is not None else frame.bytes or b""
        kind, about = _kind(raw)
        match kind:
            case "subscribe":
                return await _subscribe(socket, contract.Subscribe.read(raw))
            case "ack":
                return await _acknowledge(socket, contract.Ack.read(raw))
            case "breaker_ack":
                await _acknowledge_command(socket, raw)
                return None
            case _:
                known = "subscribe, ack or breaker_ack"
                wrong = FieldError("ENUM", "type", known, clean_text(kind, limit=SHORT), f"Send {known}.")
                raise NotUnderstood("This type of message is not known.", errors=(wrong,))
    except Refused as refusal:
        return refused(refusal, about)


def refused(refusal: Refused, about: dict[str, Any]) -> dict[str, Any]:
    """Write a refusal as a message; `about` repeats what it answers."""
    return {"type": "refusal", **refusal.document(), "about": about}


def _kind(raw: bytes) -> tuple[str, dict[str, Any]]:
    if len(raw) > LONGEST:
        raise NotUnderstood(f"The message is longer than {LONGEST} bytes.")
    try:
        said = orjson.loads(raw)
    except orjson.JSONDecodeError as exc:
        raise NotUnderstood("The message is no JSON.") from exc
    if not isinstance(said, dict) or not isinstance(said.get("type"), str):
        raise NotUnderstood("The message is no object with a `type`.")
    short = {name: clean(said[name], text_limit=SHORT).value for name in ABOUT if name in said}
    return said["type"], short


async def _subscribe(socket: Speaker, said: contract.Subscribe) -> dict[str, Any] | None:
    owned = partial(queries.owned, escalation_ids=said.escalation_ids, agent_id=socket.agent_id)
    mine = await reads.run(owned)
    hub.watch(socket, (each for each in said.escalation_ids if each in mine))
    strangers = [str(each) for each in said.escalation_ids if each not in mine]
    if strangers:
        refusal = NoSuchCase("There are no such cases of this agent.")
        return refused(refusal, {"type": "subscribe", "escalation_ids": strangers})
    return None


async def _acknowledge(socket: Speaker, said: contract.Ack) -> dict[str, Any] | None:
    case_id = await reads.run(partial(_case_of, said.decision_id))
    await writes.run(
        partial(
            operations.acknowledge,
            case_id=case_id,
            decision_id=said.decision_id,
            args_digest=said.args_digest,
            fence=said.fence,
            by=socket.agent,
            at=datetime.now(UTC),
            source=Source.SOCKET,
        )
    )
    return None


async def _acknowledge_command(socket: Speaker, raw: bytes) -> None:
    told = {name: value for name, value in orjson.loads(raw).items() if name != "type"}
    said = AcknowledgeCommand.read(orjson.dumps(clean(told).value))
    agent_id = int(socket.agent_id)
    await writes.run(partial(acknowledge_command, agent_id=agent_id, said=said, at=datetime.now(UTC)))


def _case_of(decision_id: UUID) -> UUID:
    return queries.case_of_decision(decision_id=decision_id)
