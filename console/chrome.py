"""What stands around every page: the rail's counts, the person, the present, and whether only parts were asked for."""

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject
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


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers in the rail: open cases, those of them that nobody has, open spikes, breakers that are not closed."""

    open: int
    unclaimed: int
    spikes: int
    breakers: int


def chrome(request: HttpRequest) -> dict[str, object]:
    """Give every template its frame. Counts and roles are read only where a template shows them."""
    section = request.path.split("/")[1]
    return {
        "layout": "parts.html" if request.headers.get(PARTS_HEADER) else "base.html",
        "section": SECTIONS.get(section, section or "overview"),
        "at": now(),
        "for_builders": settings.DEBUG or getattr(request.user, "is_staff", False),
        "counts": SimpleLazyObject(lambda: _counts(request)),
        "roles": SimpleLazyObject(lambda: _roles(request)),
    }


def _counts(request: HttpRequest) -> Counts:
    at = now()
    cases = escalations.queries.rail_counts(person_id=str(request.user.pk), at=at)
    spikes, breakers = telemetry.queries.open_spike_count(), telemetry.queries.not_closed_count(at=at)
    return Counts(cases.open, cases.unclaimed, spikes, breakers)


def _roles(request: HttpRequest) -> str:
    held = actor(request).roles
    return _("every role") if held >= set(Role) else ", ".join(sorted(held))
