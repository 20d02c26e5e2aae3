"""Policies: which rule a case falls under, what follows, and what a rule decides by itself; from values only."""

from escalations.domain.policy.arguments import MISSING, at_path, leaves
from escalations.domain.policy.auto import auto_word, plan_tools, why_not_auto
from escalations.domain.policy.effect import (
    Auto,
    ChainStep,
    Effect,
    Rule,
    Ruling,
    chain_step,
    copied,
    deadline,
    kept_auto,
    kept_chain,
    revised,
    rule_for,
)
from escalations.domain.policy.match import Condition, Match, Subject, fits, holds, holds_for_plan, same

__all__ = [
    "MISSING",
    "Auto",
    "ChainStep",
    "Condition",
    "Effect",
    "Match",
    "Rule",
    "Ruling",
    "Subject",
    "at_path",
    "auto_word",
    "chain_step",
    "copied",
    "deadline",
    "fits",
    "holds",
    "holds_for_plan",
    "kept_auto",
    "kept_chain",
    "leaves",
    "plan_tools",
    "revised",
    "rule_for",
    "same",
    "why_not_auto",
]
