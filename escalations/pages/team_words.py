"""Words about teams: the days of a week, what was changed."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from escalations.pages.words import word

WEEKDAYS: Mapping[int, str | Promise] = {
    0: _("Monday"),
    1: _("Tuesday"),
    2: _("Wednesday"),
    3: _("Thursday"),
    4: _("Friday"),
    5: _("Saturday"),
    6: _("Sunday"),
}
CHANGES: Mapping[str, str | Promise] = {
    "team_made": _("made it"),
    "team_set": _("changed it"),
    "team_dropped": _("dropped it"),
    "override_added": _("added a stand-in"),
    "override_dropped": _("took a stand-in off"),
}


def weekday(number: int) -> str:
    """Name a day of the week, counted from Monday."""
    return str(WEEKDAYS[number])


def team_change(verb: str) -> str:
    """Say what was done to a team."""
    return word(CHANGES, verb)
