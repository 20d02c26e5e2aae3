"""Requests read within bounds, answers written from the contract."""

from typing import TypeVar

from rest_framework.request import Request
from rest_framework.response import Response

from console.kit.http import body_of
from console.kit.wire import Inbound, Outbound
from console.notices import contract, wording
from console.notices.queries.shapes import ChannelLine, DeliveryLine
from console.notices.vocabulary import State, Topic

T = TypeVar("T", bound=Inbound)


def said(request: Request, model: type[T]) -> T:
    """Read the body, of JSON and nothing else, as a contract model."""
    return model.read(body_of(request))


def answer(body: Outbound, status: int = 200) -> Response:
    """Answer a contract value."""
    return Response(body.model_dump(mode="json"), status=status)


def channel(line: ChannelLine) -> contract.Channel:
    """Tell a channel."""
    return contract.Channel.model_validate(_of(line))


def made(line: ChannelLine, secret: str) -> contract.MadeChannel:
    """Tell a channel that was just made."""
    return contract.MadeChannel.model_validate({**_of(line), "secret": secret})


def delivery(line: DeliveryLine) -> contract.Delivery:
    """Tell one line of the log."""
    told = wording.told(line.item)
    return contract.Delivery(
        id=line.id,
        topic=Topic(line.item.topic),
        subject=line.item.subject_key,
        link=line.item.link,
        text=told.line,
        channel_id=line.channel_id,
        channel=line.channel_name,
        state=State(line.state),
        fault=line.fault,
        made_at=line.made_at,
        due_at=line.due_at,
        finished_at=line.finished_at,
        tries=line.tries,
        message_id=line.message_id,
        attempts=[contract.Attempt.model_validate(each) for each in line.attempts],
    )


def _of(line: ChannelLine) -> dict[str, object]:
    told: dict[str, object] = {
        name: getattr(line, name) for name in ChannelLine.__slots__ if name != "person_id"
    }
    return {**told, "team": line.person_id is None}
