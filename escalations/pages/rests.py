"""Until when a case may rest: the choices of the menu as times, each in the person's own zone."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

MORNING = time(9)
EXACT = "at:"  # before a moment, for lines that depend on the deadline
CLOSE, SHORT = timedelta(minutes=5), timedelta(minutes=1)
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
    usual = tuple(
        Rest(choice, label, times[choice], due is not None and times[choice] >= due)
        for choice, label in labels.items()
    )
    return (*_before(due, at), *usual) if due is not None and all(rest.too_late for rest in usual) else usual


def _before(due: datetime, at: datetime) -> Iterator[Rest]:
    """Give lines that end before a near deadline, where there is time for any."""
    middle = at + (due - at) / 2
    if middle - at >= SHORT:
        yield Rest(f"{EXACT}{middle.isoformat()}", _("half of the time left"), middle, too_late=False)
    if due - CLOSE - at >= SHORT:
        close = due - CLOSE
        yield Rest(
            f"{EXACT}{close.isoformat()}", _("until 5 minutes before it is due"), close, too_late=False
        )


def until(choice: str, picked: str, *, at: datetime) -> datetime | None:
    """Read what the menu sent: a line of it, or a picked time in the person's zone; None where it is neither."""
    if choice in LENGTHS or choice == "morning":
        return _until(choice, at)
    try:
        found = datetime.fromisoformat(choice.removeprefix(EXACT) if choice.startswith(EXACT) else picked)
    except ValueError:
        return None
    return found if timezone.is_aware(found) else timezone.make_aware(found)


def _until(choice: str, at: datetime) -> datetime:
    if choice in LENGTHS:
        return at + LENGTHS[choice]
    tomorrow = timezone.localtime(at).date() + timedelta(days=1)
    return timezone.make_aware(datetime.combine(tomorrow, MORNING))
