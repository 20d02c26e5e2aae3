"""Refusals and faults as people read them, in their language: the value, the rule, the next step."""

import json
from collections.abc import Mapping, Sequence

from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from console.kit.moments import short
from console.kit.refusal import FieldError, Refused
from escalations.pages import rule_faults
from escalations.pages.words import DECISIONS, word

SHORT = 60


TOO_MUCH = _("Too much: you sent %(value)s.")
TOO_LITTLE = _("Too little: you sent %(value)s.")
NOT_WRITTEN_SO = _("Not written as this tool wants it: you sent %(value)s.")
NO_WHOLE_NUMBER = _("Not a whole number: you sent %(value)s.")
FAULTS = {
    "NEEDS_SKIPPED_STEP": _("Needs a step that is set aside. Set this one aside as well, or run the other."),
    "UNRECONCILED": _(
        "It may have happened already. Run it only after a reading step that looks first finds nothing."
    ),
    "NOTHING_RUNS": _("Every step is set aside. To run nothing, reject."),
    "REDACTED_IS_FIXED": _("Redacted values stay where they are; only the agent knows what stands there."),
    "REQUIRED": _("Needed, and empty."),
    "MISSING": _("Needed, and empty."),
    "ENUM": _("None of the values this tool takes."),
    "ADDITIONAL_PROPERTIES": _("This tool does not know the field."),
    "MAXIMUM": TOO_MUCH,
    "EXCLUSIVE_MAXIMUM": TOO_MUCH,
    "MAX_LENGTH": TOO_MUCH,
    "MAX_ITEMS": TOO_MUCH,
    "LESS_THAN_EQUAL": TOO_MUCH,
    "STRING_TOO_LONG": TOO_MUCH,
    "TOO_LONG": TOO_MUCH,
    "GREATER_THAN_EQUAL": TOO_LITTLE,
    "STRING_TOO_SHORT": _("Needed, and empty."),
    "INT_TYPE": NO_WHOLE_NUMBER,
    "INT_PARSING": NO_WHOLE_NUMBER,
    "STRING_PATTERN_MISMATCH": _("Not written as it has to be: you sent %(value)s."),
    "MINIMUM": TOO_LITTLE,
    "EXCLUSIVE_MINIMUM": TOO_LITTLE,
    "MIN_LENGTH": TOO_LITTLE,
    "MIN_ITEMS": TOO_LITTLE,
    "TYPE": _("Of another type than this tool takes: you sent %(value)s."),
    "PATTERN": NOT_WRITTEN_SO,
    "FORMAT": NOT_WRITTEN_SO,
}
REFUSALS = {
    "BREAK_GLASS_NOT_ALLOWED": _("The case's policy does not let you break the glass."),
    "BREAK_GLASS_NOT_NEEDED": _("Nothing stands in your way: decide without breaking the glass."),
    "ALREADY_VOTED": _("You have voted on it already; somebody else has to."),
    "NO_SUCH_PROPOSAL": _("The agent offers no such plan."),
    "NOTHING_TO_REDELIVER": _("There is no decision to post, or the agent has no webhook."),
    "NOT_PERMITTED": _("This is for operators. You may look."),
    "FOUR_EYES": _("You own this agent; somebody else has to decide."),
    "REASON_NEEDED": _("A reason is required: without one, agents ask again."),
    "EMPTY_NOTE": _("The note is empty."),
    "POLICY_OVER": _("This policy has expired: give it a later end and save it."),
    "ALREADY_TAKEN": _("Somebody took this suggestion already, or there is a policy of its name."),
    "STALE_REVISION": _(
        "The agent has sent a newer revision since you opened the case. Your draft is kept beside it."
    ),
    "TOO_LATE_TO_UNDO": _("Too late: the decision has left the house."),
    "BAD_ANSWER": _("The answer does not fit the question."),
    "BAD_EDIT": _("The plan cannot be decided like this; what is wrong stands at the fields."),
}


def said(fault: FieldError) -> str:
    """Say one fault; one that has no words of ours is said by its rule."""
    words = FAULTS.get(fault.code)
    if words is None and fault.code == "VALUE_ERROR":
        return rule_faults.worded(fault.constraint or "")
    if words is None:
        return str(fault.constraint or fault.hint or fault.code)
    return str(words) % {"value": brief(fault.received)}


def at_fields(faults: Sequence[FieldError], dotted: str, prefix: str) -> dict[str, str]:
    """Translate the dotted paths of faults to the names of form fields; the whole value is the form itself."""
    found = {}
    for fault in faults:
        path = (fault.field or "").removeprefix(dotted).removeprefix(".")
        if path and path != fault.field:
            found[f"{prefix}/{path.replace('.', '/')}"] = said(fault)
        elif fault.field == dotted:
            found[prefix] = said(fault)
    return found


def spoken(refusal: Refused) -> str:
    """Say a refusal; one that has no words of ours is said as it was raised."""
    if refusal.code == "HELD_BY_ANOTHER":
        return _held(refusal)
    if isinstance(winner := refusal.extra.get("winner"), dict):
        return who_was_first(winner)
    return str(REFUSALS.get(refusal.code) or gettext(refusal.detail))


def who_was_first(winner: Mapping[str, object]) -> str:
    """Say whose decision stands; what a rule, a deadline or the agent did is nobody's word."""
    at = parse_datetime(str(winner.get("decided_at", "")))
    told = {
        "name": winner.get("name", ""),
        "state": word(DECISIONS, str(winner.get("decision", ""))),
        "time": short(at, now=timezone.now()) if at else "",
    }
    match winner.get("kind"):
        case "person":
            return gettext("%(name)s decided first: %(state)s %(time)s.") % told
        case "policy":
            return gettext("The policy “%(name)s” decided first: %(state)s %(time)s.") % told
        case "default":
            return gettext("The declared default came first: %(state)s %(time)s.") % told
        case _:
            return gettext("Nobody decided: it was %(state)s %(time)s.") % told


def brief(value: object) -> str:
    """Write a value back to whoever sent it."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHORT else text[: SHORT - 1] + "…"


def _held(refusal: Refused) -> str:
    held = refusal.extra.get("held")
    if not isinstance(held, dict):
        return gettext(refusal.detail)
    until = parse_datetime(str(held.get("lease_until", "")))
    when = short(until, now=timezone.now()) if until else ""
    return gettext("%(name)s has it until %(time)s.") % {"name": held.get("holder", ""), "time": when}
