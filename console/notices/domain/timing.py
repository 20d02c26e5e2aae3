"""When a notice goes out: quiet hours in the person's own zone, digests, and what is urgent enough to go past both."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from console.notices.vocabulary import Urgency

FIRST_PAUSE = timedelta(seconds=10)
LONGEST_PAUSE = timedelta(hours=1)
MOST_TRIES = 30  # about a day; after it somebody has to ask for another


@dataclass(frozen=True, slots=True, kw_only=True)
class Quiet:
    """From one time of the day to another, over midnight where the end comes first; the same twice is never."""

    start: time
    end: time
    zone: tzinfo

    def until(self, at: datetime) -> datetime | None:
        """Give when the quiet ends that holds now, None where none does."""
        if self.start == self.end:
            return None
        today = at.astimezone(self.zone).date()
        for day in (today - timedelta(days=1), today):
            start, end = self._night(day)
            if start <= at < end:
                return end
        return None

    def _night(self, day: date) -> tuple[datetime, datetime]:
        """Give the night that begins on a day, in UTC: clocks that are set may make it longer, shorter or nothing."""
        last = day if self.start <= self.end else day + timedelta(days=1)
        begins = datetime.combine(day, self.start, self.zone).astimezone(UTC)
        end = datetime.combine(last, self.end, self.zone)
        # A time that comes twice begins a night at its first coming and ends one at its second; a time that is
        # skipped counts as if the clock had not been set yet.
        return begins, max(end.replace(fold=fold).astimezone(UTC) for fold in (0, 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How a channel wants its messages: when it is quiet, how many minutes apart, whether urgent ones go past that."""

    quiet: Quiet | None = None
    digest: timedelta = timedelta(0)
    last_at: datetime | None = None
    urgent_at_once: bool = True


def goes_out_at(pace: Pace, urgency: Urgency, at: datetime) -> datetime:
    """Give the first moment from now on at which a notice may go out."""
    if urgency is Urgency.URGENT and pace.urgent_at_once:
        return at
    due = at
    if pace.digest and pace.last_at is not None:
        due = max(due, pace.last_at + pace.digest)
    if pace.quiet is not None and (ends := pace.quiet.until(due)) is not None:
        due = ends
    return due


def next_try(tries: int, *, at: datetime) -> datetime | None:
    """Give when to try again after so many failures, None when it is time to give up."""
    return None if tries >= MOST_TRIES else at + pause(tries)


def pause(failures: int) -> timedelta:
    """Give how long to leave a destination alone after so many failures in a row."""
    return min(FIRST_PAUSE * (1 << min(max(failures - 1, 0), 20)), LONGEST_PAUSE)
