"""Refusals and faults as people read them, in their language: the value, the rule, the next step."""

import json

from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from console.kit.moments import short
from console.kit.refusal import FieldError, Refused

SHORT = 60


TOO_MUCH = _lazy("Too much: you sent %(value)s.")
TOO_LITTLE = _lazy("Too little: you sent %(value)s.")
NOT_WRITTEN_SO = _lazy("Not written as this tool wants it: you sent %(value)s.")
FAULTS = {
    "NEEDS_SKIPPED_STEP": _lazy(
        "Needs a step that is set aside. Set this one aside as well, or run the other."
    ),
    "UNRECONCILED": _lazy(
        "It may have happened already. Run it only after a reading step that looks first finds nothing."
    ),
    "NOTHING_RUNS": _lazy("Every step is set aside. To run nothing, reject."),
    "REDACTED_IS_FIXED": _lazy(
        "Redacted values stay where they are; only the agent knows what stands there."
    ),
    "REQUIRED": _lazy("Needed, and empty."),
    "ENUM": _lazy("None of the values this tool takes."),
    "ADDITIONAL_PROPERTIES": _lazy("This tool does not know the field."),
    "MAXIMUM": TOO_MUCH,
    "EXCLUSIVE_MAXIMUM": TOO_MUCH,
    "MAX_LENGTH": TOO_MUCH,
    "MAX_ITEMS": TOO_MUCH,
    "MINIMUM": TOO_LITTLE,
    "EXCLUSIVE_MINIMUM": TOO_LITTLE,
    "MIN_LENGTH": TOO_LITTLE,
    "MIN_ITEMS": TOO_LITTLE,
    "TYPE": _lazy("Of another type than this tool takes: you sent %(value)s."),
    "PATTERN": NOT_WRITTEN_SO,
    "FORMAT": NOT_WRITTEN_SO,
}
REFUSALS = {
    "NOT_PERMITTED": _lazy("This is for operators. You may look."),
    "FOUR_EYES": _lazy("You own this agent; somebody else has to decide."),
    "REASON_NEEDED": _lazy("A reason is required: without one, agents ask again."),
    "EMPTY_NOTE": _lazy("The note is empty."),
    "STALE_REVISION": _lazy(
        "The agent has sent a newer revision since you opened the case. Your draft is kept beside it."
    ),
    "TOO_LATE_TO_UNDO": _lazy("Too late: the decision has left the house."),
    "BAD_ANSWER": _lazy("The answer does not fit the question."),
    "BAD_EDIT": _lazy("The plan cannot be decided like this; what is wrong stands at the fields."),
}


def said(fault: FieldError) -> str:
    """Say one fault; one that has no words of ours is said by its rule."""
    words = FAULTS.get(fault.code)
    if words is None:
        return str(fault.constraint or fault.hint or fault.code)
    return str(words) % {"value": brief(fault.received)}


def spoken(refusal: Refused) -> str:
    """Say a refusal; one that has no words of ours is said as it was raised."""
    if refusal.code == "HELD_BY_ANOTHER":
        return _held(refusal)
    return str(REFUSALS.get(refusal.code) or _(refusal.detail))


def brief(value: object) -> str:
    """Write a value back to whoever sent it."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHORT else text[: SHORT - 1] + "…"


def _held(refusal: Refused) -> str:
    held = refusal.extra.get("held")
    if not isinstance(held, dict):
        return _(refusal.detail)
    until = parse_datetime(str(held.get("lease_until", "")))
    when = short(until, now=timezone.now()) if until else ""
    return _("%(name)s has it until %(time)s.") % {"name": held.get("holder", ""), "time": when}
