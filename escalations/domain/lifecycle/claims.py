"""Who has a case: a holder with a lease that frees itself; advisory, and never a state."""

from dataclasses import replace
from datetime import datetime, timedelta

from console.kit.refusal import FieldError, Kind, Refused
from escalations.domain.lifecycle.state import NotAllowedNow, State, decided_already, held, insist
from escalations.domain.lifecycle.tables import UNDECIDED


class BadSnooze(Refused):
    """The time is past, or after the deadline."""

    kind, code = Kind.INVALID, "BAD_SNOOZE"


def why_not_claim(state: State, *, who: str, at: datetime, take_over: bool = False) -> Refused | None:
    """Anybody who may decide may claim; another's live claim must be taken over on purpose."""
    if state.decision not in UNDECIDED:
        return decided_already(state)
    if state.held_by_another(who, at) and not take_over:
        return held(state)
    return None


def claim(
    state: State, *, who: str, name: str, at: datetime, lease: timedelta, take_over: bool = False
) -> State:
    """Give the case to the claimant until the lease ends; claiming again renews it."""
    insist(why_not_claim(state, who=who, at=at, take_over=take_over))
    return replace(state, holder_id=who, holder_name=name, lease_until=at + lease)


def why_not_release(state: State, *, who: str, at: datetime) -> Refused | None:
    """Only the holder gives a case back; a lapsed lease gives itself back."""
    if not state.holder_id:
        return NotAllowedNow("Nobody holds it.")
    if state.held_by_another(who, at):
        return held(state)
    return None


def release(state: State, *, who: str, at: datetime) -> State:
    """Take the holder off."""
    insist(why_not_release(state, who=who, at=at))
    return free(state)


def why_not_lapse(state: State, *, at: datetime) -> Refused | None:
    """A lease frees itself once it is over."""
    if not state.holder_id or state.held_at(at):
        return NotAllowedNow("There is no lapsed claim.")
    return None


def lapse(state: State, *, at: datetime) -> State:
    """Take the holder of a lapsed lease off."""
    insist(why_not_lapse(state, at=at))
    return free(state)


def why_not_while_held(state: State, *, who: str, at: datetime) -> Refused | None:
    """What decides many at once leaves the live claims of others alone."""
    return held(state) if state.held_by_another(who, at) else None


def why_not_put_aside(state: State) -> Refused | None:
    """Assigning and snoozing are for what is still to be decided."""
    return None if state.decision in UNDECIDED else decided_already(state)


def why_not_snooze(state: State, *, until: datetime, at: datetime) -> Refused | None:
    """A case can rest until before its deadline; snoozing moves no deadline."""
    if state.decision not in UNDECIDED:
        return decided_already(state)
    if not at < until < state.expires_at:
        wrong = FieldError(
            "RANGE",
            "until",
            f"after now, before the deadline {state.expires_at.isoformat(timespec='seconds')}",
            until.isoformat(),
            "Choose an earlier time.",
        )
        return BadSnooze("A case cannot rest until after its deadline.", errors=(wrong,))
    return None


def free(state: State) -> State:
    """Give the case with nobody holding it."""
    return replace(state, holder_id="", holder_name="", lease_until=None)
