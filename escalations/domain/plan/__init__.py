"""Plans: as they are proposed, and as they are decided."""

from escalations.domain.plan.final import BadEdit, Choice, Final, canonicalised, edit_faults, finalize
from escalations.domain.plan.steps import (
    READ,
    NoSuchProposal,
    Proposal,
    Step,
    UnknownEffect,
    ancestors,
    pick,
    planned_tools,
    proposals_of,
    resends_unknown,
    stricter,
    unknown_effects,
)

__all__ = [
    "READ",
    "BadEdit",
    "Choice",
    "Final",
    "NoSuchProposal",
    "Proposal",
    "Step",
    "UnknownEffect",
    "ancestors",
    "canonicalised",
    "edit_faults",
    "finalize",
    "pick",
    "planned_tools",
    "proposals_of",
    "resends_unknown",
    "stricter",
    "unknown_effects",
]
