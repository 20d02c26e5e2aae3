"""One spike in full: its rate beside what was usual, what stood beside it, and who did what about it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from console.audit import queries as audit
from telemetry.domain.buckets import Cut, minute_of
from telemetry.domain.tally import ALL_AGENTS
from telemetry.models import Mute, Spike
from telemetry.queries import rollups
from telemetry.queries.rollups import StepSum
from telemetry.queries.shapes import Rate
from telemetry.queries.spikes import SpikeRow, spike
from telemetry.queries.timeline import Timeline, timeline
from telemetry.vocabulary import SpikeKind

BEFORE, AFTER = 60, 30  # minutes shown around a spike
MOST_STEPS = 180
GRAINS = (1, 15, 60, 1440)


@dataclass(frozen=True, slots=True)
class RateSeries:
    """The share of calls that failed in each step; None where there were no calls."""

    starts: tuple[datetime, ...]
    step_s: int
    rates: tuple[Rate, ...]


@dataclass(frozen=True, slots=True)
class Deed:
    """One line of a spike's history. `verb` is opened, closed, acknowledged, muted or unmuted; nobody did the first two."""

    at: datetime
    verb: str
    by: str = ""
    reason: str = ""
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class SpikePage:
    """Everything the page of one spike says."""

    row: SpikeRow
    series: RateSeries
    since_opened: Rate
    beside: Timeline
    history: tuple[Deed, ...]


def spike_page(*, spike_id: int, at: datetime) -> SpikePage | None:
    """Give one spike in full, or None."""
    row = spike(spike_id=spike_id, at=at)
    if row is None:
        return None
    tool_id = Spike.objects.values_list("tool_id", flat=True).get(pk=spike_id)
    period = _around(row, at)
    steps = rollups.by_step(period, agent_id=ALL_AGENTS, tool_id=tool_id or None)
    starts = period.starts()
    rates = _rates(steps, row, period)
    first = max(0, (minute_of(row.opened_at) - period.start) // period.step)
    last = len(rates) if row.closed_at is None else (minute_of(row.closed_at) - period.start) // period.step
    during = rates[first : max(last, first + 1)]
    return SpikePage(
        row=row,
        series=RateSeries(starts, period.step * 60, rates),
        since_opened=Rate(sum(rate.part for rate in during), sum(rate.whole for rate in during)),
        beside=timeline(tool=row.tool, since=starts[0], until=at),
        history=_history(row, at),
    )


def _around(row: SpikeRow, at: datetime) -> Cut:
    """Cut the time around a spike into steps that counters have, finer ones where it was short."""
    start = minute_of(row.opened_at) - max(BEFORE, row.window_min or 0)
    end = minute_of(min(row.closed_at + timedelta(minutes=AFTER), at) if row.closed_at else at) + 1
    grain = next((one for one in GRAINS if (end - start) / one <= MOST_STEPS), GRAINS[-1])
    start, end = start // grain * grain, -(-end // grain) * grain
    return Cut(start, end, grain, grain)


def _rates(steps: tuple[StepSum, ...], row: SpikeRow, period: Cut) -> tuple[Rate, ...]:
    calls, failed = [0] * period.steps, [0] * period.steps
    for one in steps:
        if one.kind != "o" or not 0 <= one.step < period.steps:
            continue
        calls[one.step] += one.counted
        if row.kind is SpikeKind.PERSON:
            failed[one.step] += one.person
        elif one.failure_class == row.failure_class:
            failed[one.step] += one.counted
    return tuple(Rate(part, whole) for part, whole in zip(failed, calls, strict=True))


def _history(row: SpikeRow, at: datetime) -> tuple[Deed, ...]:
    deeds = [Deed(row.opened_at, "opened")]
    deeds += [Deed(one.at, one.verb, one.actor_name) for one in audit.history(subject=f"spike:{row.id}")]
    mutes = Mute.objects.filter(
        tool__in=["", row.tool], subject__in=["", row.subject], until__gt=row.opened_at
    )
    for mute in mutes.filter(made_at__lte=row.closed_at or at):
        for one in audit.history(subject=f"mute:{mute.pk}"):
            deeds.append(Deed(one.at, one.verb, one.actor_name, mute.reason, mute.until))
    if row.closed_at:
        deeds.append(Deed(row.closed_at, "closed"))
    return tuple(sorted(deeds, key=lambda deed: deed.at))
