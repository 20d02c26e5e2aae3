"""An edit that makes another tool of a step's: the new tool's own rule counts as if the agent had proposed it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from console.kit.actor import Actor
from console.kit.refusal import FieldError, Refused
from escalations.domain import lifecycle
from escalations.domain.word import Worded
from escalations.models import Case
from escalations.queries.policies import ruling


class NewToolNeedsMore(Refused):
    """The policy of the new tool asks for more than this decision has."""

    code = "NEW_TOOL_NEEDS_MORE"


def insist_on_new_tools_rules(
    row: Case,
    state: lifecycle.State,
    packed: Mapping[str, Any],
    word: Worded,
    *,
    by: Actor,
    at: datetime,
    broken: tuple[str, ...],
) -> None:
    """Refuse a step with a new tool whose own policy asks for more people, other eyes or a claim."""
    proposed = {step["id"]: step["tool"] for plan in packed.get("proposals") or () for step in plan["steps"]}
    changed = [step for step in word.steps if step["run"] and step["tool"] != proposed.get(step["id"])]
    if not changed or broken:
        return
    plan = {"id": word.proposal_id, "risk": "", "steps": changed}
    found = ruling(agent=row.agent_name, package={**packed, "failure": None, "proposals": [plan]}, at=at)
    if found.rule is None:
        return
    effect, missing = found.rule.effect, []
    if effect.quorum > int(row.policy.get("quorum") or 1):
        missing.append(f"{effect.quorum} people who agree")
    if effect.four_eyes and row.agent_owner_id == by.id:
        missing.append("somebody who does not own the agent")
    if effect.require_claim and not state.held_at(at):
        missing.append("a claim")
    if missing:
        wanted = " and ".join(missing)
        wrong = FieldError("NEW_TOOL_NEEDS_MORE", "steps", wanted, changed[0]["tool"], "Keep the tool.")
        raise NewToolNeedsMore(f"The policy “{found.rule.name}” asks for {wanted}.", errors=(wrong,))
