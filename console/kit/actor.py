"""Who does something: a value that operations take, audit keeps and permission functions judge."""

from dataclasses import dataclass
from enum import StrEnum


class ActorKind(StrEnum):
    """Who can act here."""

    PERSON = "person"
    AGENT = "agent"
    POLICY = "policy"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class Actor:
    """One who acts; `id` is unique within its kind, `name` is what people read."""

    kind: ActorKind
    id: str
    name: str
    roles: frozenset[str] = frozenset()

    @property
    def is_person(self) -> bool:
        """Say whether a human being stands behind it."""
        return self.kind is ActorKind.PERSON


SYSTEM = Actor(ActorKind.SYSTEM, "system", "Switchboard")
