"""Whom a notice concerns, and which channel it therefore goes to."""

from dataclasses import dataclass

from console.notices.vocabulary import Topic

ANYBODY = "*"  # in `roles`: whoever asks for the topic


@dataclass(frozen=True, slots=True, kw_only=True)
class Audience:
    """Whom a notice concerns: people by id, everybody who follows a queue, everybody who has a role.

    `queue` is None where the notice belongs to no queue, and "" for the queue without a name. A notice that names
    people only is nobody else's: team channels do not get it. `not_to` is whoever caused it and knows.
    """

    people: frozenset[str] = frozenset()
    queue: str | None = None
    roles: frozenset[str] = frozenset()
    not_to: str = ""

    @property
    def personal(self) -> bool:
        """Say whether it names people and nothing wider."""
        return self.queue is None and not self.roles


@dataclass(frozen=True, slots=True, kw_only=True)
class Listener:
    """A channel as the choice looks at it: a person's, or a team's where `person_id` is blank."""

    topics: frozenset[str]
    queues: frozenset[str] = frozenset()  # none: every queue
    person_id: str = ""
    roles: frozenset[str] = frozenset()


def concerns(audience: Audience, topic: Topic, listener: Listener) -> bool:
    """Say whether a channel gets a notice."""
    if topic.value not in listener.topics:
        return False
    follows = audience.queue is not None and (not listener.queues or audience.queue in listener.queues)
    if not listener.person_id:
        return follows or (audience.queue is None and bool(audience.roles))
    if listener.person_id == audience.not_to:
        return False
    return (
        listener.person_id in audience.people or follows or bool(audience.roles & {*listener.roles, ANYBODY})
    )
