"""Words about what is held back, and for how long."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from escalations.pages.words import word

KINDS: Mapping[str, str | Promise] = {"agent": _("an agent’s cases"), "policy": _("a policy")}
NAMED: Mapping[str, str | Promise] = {"agent": _("agent"), "policy": _("policy")}
LENGTHS: Mapping[str, str | Promise] = {
    "": _("until somebody lets them go on"),
    "1h": _("1 hour"),
    "4h": _("4 hours"),
    "1d": _("1 day"),
    "7d": _("7 days"),
    "pick": _("until the time below"),
}


def pause_kind(kind: object) -> str:
    """Say what sort of thing is held back."""
    return word(NAMED, kind)
