"""When a policy may decide by itself: only the plan it means, only what its conditions hold for."""

from collections.abc import Mapping
from typing import Any

from escalations.domain import package as packages
from escalations.domain import plan
from escalations.domain.policy.effect import Auto
from escalations.domain.policy.match import Match, holds_for_plan
from escalations.domain.word import Word
from escalations.vocabulary import Action


def why_not_auto(auto: Auto, match: Match, package: Mapping[str, Any]) -> str:
    """Say why people have to decide this one, blank where the policy may."""
    action = Action(auto.action)
    if action not in packages.offered(package):
        return f"The agent does not take “{action}” here."
    chosen = packages.recommended_plan(package)
    if chosen is None:
        return "" if action is Action.REJECT else "The agent recommends no plan."
    if not holds_for_plan(match, chosen):
        return "The recommended plan has a call that the rule does not hold for."
    if action is Action.REJECT:
        return ""
    if tuple(step.tool for step in chosen.steps) != auto.tools:
        return "The recommended plan makes other calls than the rule names."
    if not (chosen.reads_only or auto.writes):
        return "The recommended plan writes, and the rule may approve only what reads."
    return ""


def auto_word(auto: Auto, package: Mapping[str, Any], *, name: str) -> Word:
    """Give what the policy says, in the words that the agent gets."""
    message = auto.message or f"Decided by the policy “{name}”."
    action = Action(auto.action)
    chosen = packages.recommended_plan(package) if action is Action.APPROVE else None
    return Word(action=action, proposal_id=chosen.id if chosen else None, message=message)


def plan_tools(proposal: plan.Proposal) -> tuple[str, ...]:
    """Give the calls that a plan makes, in order: what a rule about it names."""
    return tuple(step.tool for step in proposal.steps)
