"""What moves the decision field: a person, a deadline, the agent that withdraws or revises, an undo."""

from dataclasses import replace
from datetime import datetime, timedelta

from console.kit.refusal import Refused
from escalations.domain.lifecycle.claims import free
from escalations.domain.lifecycle.state import (
    ActionNotOffered,
    NotAllowedNow,
    State,
    TooLateToUndo,
    decided_already,
    held,
    insist,
    stale,
)
from escalations.domain.lifecycle.tables import DECIDED_AS, DECISIONS, REVISABLE, RUNS, UNDECIDED, D, E
from escalations.vocabulary import Action, Decision


def why_not_decide(
    state: State, *, who: str, at: datetime, base_revision: int | None = None, action: Action | None = None
) -> Refused | None:
    """Say why this revision cannot be decided. The deadline is not among the reasons: only the row expires a case."""
    if state.decision not in UNDECIDED:
        return decided_already(state)
    if base_revision is not None and base_revision != state.revision:
        return stale(state, base_revision)
    if state.require_claim and state.held_by_another(who, at):
        return held(state)
    if state.require_claim and not state.held_at(at):
        return NotAllowedNow("This queue asks for a claim first.")
    if action is not None and action not in state.allowed:
        offered = ", ".join(sorted(state.allowed))
        return ActionNotOffered(f"The agent cannot take “{action}” here; it takes {offered}.")
    return None


def decide(state: State, *, who: str, at: datetime, base_revision: int, action: Action) -> State:
    """Close the revision with somebody's word."""
    insist(why_not_decide(state, who=who, at=at, base_revision=base_revision, action=action))
    return _close(state, DECIDED_AS[action])


def why_not_expire(state: State, *, at: datetime, lease: timedelta) -> Refused | None:
    """A deadline that has passed, and no live claim that began in time to delay it by one lease at most."""
    if state.decision not in UNDECIDED:
        return decided_already(state)
    if at < state.expires_at:
        return NotAllowedNow("The deadline has not passed.")
    if state.held_at(at) and at < state.expires_at + lease:
        return held(state)
    return None


def expire(state: State, *, at: datetime, lease: timedelta, into: Decision = D.EXPIRED) -> State:
    """Close an overdue revision; `into` is what a declared default makes of it."""
    insist(why_not_expire(state, at=at, lease=lease))
    return _close(state, into)


def why_not_cancel(state: State) -> Refused | None:
    """An agent withdraws what nobody has decided."""
    return None if state.decision in UNDECIDED else decided_already(state)


def cancel(state: State) -> State:
    """Close the revision because its agent no longer asks."""
    insist(why_not_cancel(state))
    return _close(state, D.CANCELLED)


def why_not_revise(state: State, *, base_revision: int) -> Refused | None:
    """A new package is taken before a decision, or after an outcome that left work undone."""
    if base_revision != state.revision:
        return stale(state, base_revision)
    if state.decision in UNDECIDED or (state.decision in RUNS and state.execution in REVISABLE):
        return None
    if state.decision in RUNS:
        return NotAllowedNow(
            f"It is {state.decision}, {state.execution}. Report a failed or partial outcome first.",
            extra={"winner": state.winner.told()} if state.winner else None,
        )
    return decided_already(state)


def revise(state: State, *, base_revision: int, expires_at: datetime) -> State:
    """Begin the next revision. A claim stays: its holder has a new difference to look at."""
    insist(why_not_revise(state, base_revision=base_revision))
    return replace(
        state,
        revision=state.revision + 1,
        decision=D.OPEN,
        execution=E.NOT_STARTED,
        expires_at=expires_at,
        resolved=False,
        winner=None,
    )


def why_not_go_on(state: State) -> Refused | None:
    """The rest of a plan can be put before people once its outcome says that something is left."""
    if state.decision in RUNS and state.execution in REVISABLE:
        return None
    return NotAllowedNow(f"It is {state.decision}, {state.execution}: there is no rest of a plan.")


def why_not_retract(state: State, *, at: datetime, deliver_after: datetime | None) -> Refused | None:
    """A decision can be taken back until it may be delivered, and never after."""
    if state.decision not in DECIDED_AS.values():
        return NotAllowedNow("There is no decision to take back.")
    if deliver_after is None or at >= deliver_after:
        return TooLateToUndo("The decision is on its way; it cannot be taken back.")
    return None


def retract(state: State, *, at: datetime, deliver_after: datetime | None) -> State:
    """Open the same revision again."""
    insist(why_not_retract(state, at=at, deliver_after=deliver_after))
    return replace(state, decision=D.OPEN, execution=E.NOT_STARTED, winner=None)


def _close(state: State, into: Decision) -> State:
    if into not in DECISIONS[state.decision]:
        raise NotAllowedNow(f"It is {state.decision}: that cannot become {into}.")
    execution = E.NOT_STARTED if into in RUNS or into is D.DISPUTED else E.NOT_APPLICABLE
    kept = state if into is D.DISPUTED else free(state)
    return replace(kept, decision=into, execution=execution)
