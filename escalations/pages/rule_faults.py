"""What the contract says of a rule that cannot be, in the reader's language; by its own sentence."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

PREFIX = "Value error, "
SENTENCES: Mapping[str, str | Promise] = {
    "approve names the calls of the plan it means": _(
        "To approve by itself a rule names the calls of the plan it means."
    ),
    "reject says why: without a reason, agents ask again": _(
        "A reason is required: without one, agents ask again."
    ),
    "repeat stands once, at the end": _("“Begin again” stands once, at the end of the chain."),
    "a chain that repeats waits somewhere": _("A chain that begins again waits somewhere."),
    "notify takes person or team, and nothing else": _("Whom to tell? A person, or a team with @ before it."),
    "on_call takes team, and nothing else": _("Which team’s on-call person?"),
    "wait takes seconds, and nothing else": _("How many minutes?"),
    "repeat takes times, and nothing else": _("How many times?"),
    "webhook takes url, and nothing else": _("To which address?"),
    "one_of takes a list with something in it": _("“Is one of” takes a list with something in it."),
    "like takes a pattern that is more than a wildcard": _(
        "“Is like” takes a pattern that is more than a wildcard."
    ),
    "an empty value is no condition": _("Needed, and empty."),
    "a rule names at least one thing that a case must be": _(
        "A rule names at least one thing that a case must be."
    ),
    "where several have to agree no policy decides": _("Where several have to agree no policy decides."),
    "tools_may_become names tools; a wildcard alone would be every tool": _(
        "Name the tools an edit may put in; a wildcard alone would be every tool."
    ),
    "a rule that decides names a tool and at least one argument": _(
        "A rule that decides by itself names a tool and at least one argument."
    ),
    "a rule that decides says when it expires": _("A rule that decides by itself says when it expires."),
}
NUMBER, FINITE = " takes a number", " takes a finite number within 2^53"
TAKES_A_NUMBER = _("This comparison takes a number, within 2^53.")


def worded(constraint: str) -> str:
    """Say one rule of the contract; one without words of ours is said as it is."""
    rule = constraint.removeprefix(PREFIX)
    if rule.endswith((NUMBER, FINITE)):
        return str(TAKES_A_NUMBER)
    return str(SENTENCES.get(rule, rule))
