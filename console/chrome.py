"""What stands around every page: the rail's counts, the person, the present, and whether only parts were asked for."""

from collections.abc import Mapping
from datetime import datetime

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject, cached_property
from django.utils.timezone import now
from django.utils.translation import gettext as _

import escalations.queries
import telemetry.queries
from console.kit.http import actor
from console.people.roles import Role

PARTS_HEADER = "X-Parts"  # lib/live.js asks for a page's parts without the frame
SECTIONS = {
    "cases": "queue",
    "groups": "queue",
    "new-policy": "policies",
    "new-team": "teams",
    "pauses": "policies",
    "traces": "calls",
    "outbox": "channels",
}


class Counts:
    """The numbers in the rail: open cases, those of them that nobody has, open spikes, breakers that are not closed.

    Each is read where it is shown, once, and not at all where the page has read it (`kit.http.counted`).
    """

    def __init__(self, known: Mapping[str, int], at: datetime) -> None:
        """Keep what is known."""
        self._known, self._at = known, at

    @cached_property
    def _cases(self) -> tuple[int, int]:
        if "open" in self._known and "unclaimed" in self._known:
            return self._known["open"], self._known["unclaimed"]
        return escalations.queries.open_counts(at=self._at)

    @property
    def open(self) -> int:
        """Count the open cases."""
        return self._cases[0]

    @property
    def unclaimed(self) -> int:
        """Count the open cases that nobody has."""
        return self._cases[1]

    @cached_property
    def spikes(self) -> int:
        """Count the open spikes."""
        return self._known["spikes"] if "spikes" in self._known else telemetry.queries.open_spike_count()

    @cached_property
    def breakers(self) -> int:
        """Count the breakers that are not closed."""
        known = self._known.get("breakers")
        return telemetry.queries.not_closed_count(at=self._at) if known is None else known


def chrome(request: HttpRequest) -> dict[str, object]:
    """Give every template its frame. Counts and roles are read only where a template shows them."""
    section, at = request.path.split("/")[1], now()
    return {
        "layout": "parts.html" if request.headers.get(PARTS_HEADER) else "base.html",
        "section": SECTIONS.get(section, section or "overview"),
        "at": at,
        "for_builders": settings.DEBUG or getattr(request.user, "is_staff", False),
        "counts": Counts(request.__dict__.get("counted", {}), at),
        "roles": SimpleLazyObject(lambda: _roles(request)),
    }


def _roles(request: HttpRequest) -> str:
    held = actor(request).roles
    return _("every role") if held >= set(Role) else ", ".join(sorted(held))
