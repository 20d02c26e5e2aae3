"""A case at one moment, as far as its rules look at it, and the refusals that follow from it."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from console.kit.refusal import Kind, Refused
from escalations.vocabulary import Action, Decision, Execution


@dataclass(frozen=True, slots=True, kw_only=True)
class Winner:
    """Whose decision stands; `name` is blank where nobody's does (expired, cancelled, superseded)."""

    decision_id: UUID
    revision: int
    state: Decision
    action: Action | None
    kind: str
    name: str
    decided_at: datetime

    def told(self) -> dict[str, object]:
        """Give what the loser of a race is told."""
        return {
            "decision_id": str(self.decision_id),
            "revision": self.revision,
            "decision": self.state.value,
            "action": self.action.value if self.action else None,
            "kind": self.kind,
            "name": self.name,
            "decided_at": self.decided_at.isoformat(timespec="milliseconds"),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A case at one moment, as far as its rules look at it."""

    revision: int
    decision: Decision
    execution: Execution
    expires_at: datetime
    holder_id: str = ""
    holder_name: str = ""
    lease_until: datetime | None = None
    allowed: frozenset[Action] = frozenset(Action)
    require_claim: bool = False
    resolved: bool = False
    winner: Winner | None = None

    def held_at(self, at: datetime) -> bool:
        """Say whether somebody's claim is live."""
        return self.lease_until is not None and at < self.lease_until

    def held_by_another(self, who: str, at: datetime) -> bool:
        """Say whether the live claim, if there is one, is somebody else's."""
        return self.held_at(at) and self.holder_id != who


class AlreadyDecided(Refused):
    """This revision has its decision; `winner` says whose, when and what."""

    code = "ALREADY_DECIDED"


class StaleRevision(Refused):
    """The case has moved on to another revision since the form was opened."""

    code = "STALE_REVISION"


class NotAllowedNow(Refused):
    """The state of the case does not allow it."""

    code = "NOT_ALLOWED_NOW"


class HeldByAnother(Refused):
    """Somebody else has a live claim."""

    code = "HELD_BY_ANOTHER"


class ActionNotOffered(Refused):
    """The agent said that it cannot take this kind of decision."""

    kind, code = Kind.INVALID, "ACTION_NOT_OFFERED"


class TooLateToUndo(Refused):
    """The decision has left the house."""

    code = "TOO_LATE_TO_UNDO"


def decided_already(state: State) -> AlreadyDecided:
    """Say who or what came first, in words that never blame a person for a deadline."""
    won = state.winner
    if won is None:
        return AlreadyDecided(f"It is {state.decision} already.")
    when = won.decided_at.isoformat(timespec="milliseconds")
    said = {
        Decision.EXPIRED: f"It expired at {when}; nobody had decided.",
        Decision.CANCELLED: f"The agent withdrew it at {when}.",
        Decision.SUPERSEDED: f"A later revision replaced it at {when}.",
    }
    first = {"policy": f"The policy “{won.name}”", "default": "The declared default"}.get(won.kind, won.name)
    sentence = said.get(won.state, f"{first} decided first: {won.state} at {when}.")
    return AlreadyDecided(sentence, extra={"winner": won.told()})


def held(state: State) -> HeldByAnother:
    """Say who has the case and until when."""
    until = state.lease_until.isoformat(timespec="seconds") if state.lease_until else ""
    told = {"holder": state.holder_name, "lease_until": until}
    return HeldByAnother(f"{state.holder_name} has it until {until}.", extra={"held": told})


def stale(state: State, base: int) -> StaleRevision:
    """Say that the case has a newer revision than the one looked at."""
    return StaleRevision(
        f"You looked at revision {base}; it is at revision {state.revision} now. Look at the difference first.",
        extra={"revision": state.revision, "base_revision": base},
    )


def insist(refusal: Refused | None) -> None:
    """Raise the refusal, where there is one."""
    if refusal is not None:
        raise refusal
