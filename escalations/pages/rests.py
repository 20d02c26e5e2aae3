"""Until when a case may rest: the choices of the menu as times, each in the person's own zone."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

MORNING = time(9)
LENGTHS = {"15m": timedelta(minutes=15), "1h": timedelta(hours=1), "4h": timedelta(hours=4)}


@dataclass(frozen=True, slots=True)
class Rest:
    """One line of the menu; `too_late` when the case is due before."""

    choice: str
    label: str
    until: datetime
    too_late: bool


def rests(*, at: datetime, due: datetime | None = None) -> tuple[Rest, ...]:
    """Give the lines of the menu for a case that is due then; for many cases each is asked by itself."""
    labels = {
        "15m": _("15 minutes"),
        "1h": _("1 hour"),
        "4h": _("4 hours"),
        "morning": _("until tomorrow 09:00"),
    }
    times = {choice: _until(choice, at) for choice in labels}
    return tuple(
        Rest(choice, label, times[choice], due is not None and times[choice] >= due)
        for choice, label in labels.items()
    )


def until(choice: str, picked: str, *, at: datetime) -> datetime | None:
    """Read what the menu sent: a line of it, or a picked time in the person's zone; None where it is neither."""
    if choice in LENGTHS or choice == "morning":
        return _until(choice, at)
    try:
        found = datetime.fromisoformat(picked)
    except ValueError:
        return None
    return found if timezone.is_aware(found) else timezone.make_aware(found)


def _until(choice: str, at: datetime) -> datetime:
    if choice in LENGTHS:
        return at + LENGTHS[choice]
    tomorrow = timezone.localtime(at).date() + timedelta(days=1)
    return timezone.make_aware(datetime.combine(tomorrow, MORNING))
