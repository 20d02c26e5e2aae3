"""Deciding against the case's own rules: who may, which rules give way, and that all administrators hear of it."""

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from console.kit.actor import Actor
from console.kit.clean import clean_text
from escalations import contract
from escalations.domain import glass, lifecycle, permissions
from escalations.models import Case
from escalations.operations.rows import load
from escalations.queries.states import state_of, subject_of
from escalations.vocabulary import Verb

BROKE = "broke_glass"


def locked_to_decide(
    case_id: UUID, said: contract.Decide, *, by: Actor, at: datetime
) -> tuple[Case, tuple[str, ...]]:
    """Lock a case for a decision; give the rules that break, none of them where it is an ordinary one."""
    if said.break_glass is None:
        return load(case_id, by=by, verb=Verb.DECIDE), ()
    row = Case.objects.select_for_update().filter(pk=case_id).first()
    if row is None:
        raise permissions.NoSuchCase("There is no such case.")
    if (refusal := glass.why_not_break(by, row.policy)) is not None:
        raise refusal
    glass.insist_on_reason(said.break_glass)
    rules = glass.broken(by, subject_of(row), state_of(row), row.policy, at=at)
    if not rules and row.decision in lifecycle.UNDECIDED:
        raise glass.GlassNotNeeded("Nothing stands in your way: decide without breaking the glass.")
    return row, rules


def without_rules(state: lifecycle.State, broken: tuple[str, ...]) -> lifecycle.State:
    """Give the state as it is judged once the glass is broken."""
    return replace(state, require_claim=False) if broken else state


def told_of(said: contract.Decide, broken: tuple[str, ...]) -> dict[str, object]:
    """Give what the audit keeps of it."""
    if not broken:
        return {}
    return {"broke": list(broken), "why": clean_text((said.break_glass or "").strip(), limit=2_000)}
