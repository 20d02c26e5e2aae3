"""Reasons that are given again and again: chosen with one key, sent to the model as a sentence, kept as a word."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

REASONS: Mapping[str, str | Promise] = {
    "by_hand": _("A person does it by hand; do not try again."),
    "not_needed": _("It is not needed any more."),
    "ask_first": _("Ask the customer first, then come back with the answer."),
    "too_dear": _("Too dear, or against our rules. Find another way."),
    "wrong_arguments": _("The arguments are wrong. Come back with the right ones."),
    "wait": _("Wait until the tool works again, then ask anew."),
}
LONGEST = 20_000


def worded(preset: str, words: str) -> tuple[str, str]:
    """Give the message for the model, and the preset's word for those who count reasons."""
    chosen = REASONS.get(preset)
    said = [str(chosen)] if chosen else []
    said += [words.strip()] if words.strip() else []
    return "\n".join(said), preset if chosen else ""
