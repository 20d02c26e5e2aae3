"""What people send over REST beside decisions."""

from typing import Annotated

from pydantic import Field

from console.kit.wire import Inbound, Outbound
from escalations.contract.words import Name, Text, When


class ClaimCase(Inbound):
    """The body of `POST …/{id}/claim`; it may be left out."""

    take_over: bool = False


class AssignCase(Inbound):
    """The body of `PUT …/{id}/assignee`: an operator's name, or null for nobody."""

    person: Name | None


class SnoozeCase(Inbound):
    """The body of `PUT …/{id}/snooze`: a time before the deadline, or null to wake it."""

    until: When | None


class WriteNote(Inbound):
    """The body of `POST …/{id}/notes`."""

    text: Annotated[Text, Field(min_length=1)]


class CloseByHand(Inbound):
    """The body of `POST …/{id}/resolution`: what was done by hand."""

    note: Annotated[Text, Field(min_length=1)]


class OpenRest(Inbound):
    """The body of `POST …/{id}/rest`: what is left of the decided plan becomes the next revision."""

    base_revision: Annotated[int, Field(ge=1)]
    expires_at: When | None = None


class NoteWritten(Outbound):
    """The answer to a note."""

    id: int
