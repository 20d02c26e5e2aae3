"""The watch over spikes: one minute after another is judged, spikes open and close, people answer them."""

from dataclasses import asdict
from datetime import datetime, timedelta

from django.db import transaction

from console.audit.operations import record
from console.kit.actor import Actor
from console.kit.clean import clean_text
from console.kit.refusal import FieldError, Kind, Refused
from telemetry import announce
from telemetry.domain.buckets import start_of
from telemetry.domain.spikes import Baseline, Move, Seen, Tick, after_hours, baseline, plain, tick
from telemetry.models import Fingerprint, Mute, Spike, Tool, Watch, WatchClock
from telemetry.operations.telling import tell_of_spike
from telemetry.queries.watching import Recent, beside, due_minute, past_hours, recent
from telemetry.vocabulary import FailureClass, SpikeKind

GRACE = timedelta(seconds=10)
MOST_BEHIND = 30  # minutes: after a longer pause the watch goes on with what is recent
KNOWN_FOR = timedelta(days=1)  # a tool's first day is all new, and no news
NEWS_LASTS = timedelta(hours=24)
NEWS = (FailureClass.HARD, FailureClass.INTERNAL, FailureClass.UNKNOWN_OUTCOME)
LONGEST_MUTE = timedelta(days=30)
NOTHING = Recent((0, 0, 0), (0, 0, 0))


class NoSuchMute(Refused):
    """There is no mute of that id."""

    kind, code = Kind.MISSING, "NO_SUCH_MUTE"


class NoSuchSpike(Refused):
    """There is no spike of that id."""

    kind, code = Kind.MISSING, "NO_SUCH_SPIKE"


class BadMute(Refused):
    """A mute without a reason or an end."""

    kind, code = Kind.INVALID, "BAD_MUTE"


@transaction.atomic(durable=True)
def watch_one_minute(*, at: datetime) -> bool:
    """Judge the next minute that is over; give whether there was one. Two at once judge it once."""
    clock = WatchClock.objects.select_for_update().filter(pk=1).first()
    minute = due_minute(clock.minute if clock else None, at=at, grace=GRACE, most_behind=MOST_BEHIND)
    if minute is None:
        return False
    WatchClock.objects.update_or_create(pk=1, defaults={"minute": minute})
    seen = recent(minute)
    watches = {(row.tool_id, row.subject): row for row in Watch.objects.select_related("spike")}
    fresh = [key for key, now in seen.items() if key[1] and key not in watches and any(now.failures)]
    for tool_id, subject in fresh:
        known = after_hours(past_hours(tool_id, subject, until=minute))
        watches[tool_id, subject] = Watch(tool_id=tool_id, subject=subject, state=plain(known), minute=minute)
    watched = [(watches[key], seen.get(key) or seen.get((key[0], ""), NOTHING)) for key in sorted(watches)]
    changed = [row for row, now in watched if _judge(row, now, minute=minute, series=len(watches), at=at)]
    made = {(row.tool_id, row.subject) for row in changed} & set(fresh)
    Watch.objects.bulk_create([row for row in changed if (row.tool_id, row.subject) in made])
    kept = [row for row in changed if (row.tool_id, row.subject) not in made]
    Watch.objects.bulk_update(kept, ["state", "minute", "spike"], batch_size=200)
    _news(minute, at)
    return True


@transaction.atomic(durable=True)
def acknowledge_spike(*, spike_id: int, by: Actor, at: datetime) -> None:
    """Say that somebody looks at it; the first one stands."""
    spike = Spike.objects.filter(pk=spike_id).first()
    if spike is None:
        raise NoSuchSpike("There is no such spike.")
    mine = Spike.objects.filter(pk=spike_id, acknowledged_at__isnull=True)
    if mine.update(acknowledged_at=at, acknowledged_by=by.name[:160]):
        record(subject=f"spike:{spike_id}", verb="acknowledged", actor=by, at=at)
        announce.spike_on_commit(spike_id=spike_id, at=at)


@transaction.atomic(durable=True)
def mute_spikes(
    *, tool: str, subject: str = "", until: datetime, reason: str, by: Actor, at: datetime
) -> int:
    """Keep spikes of a tool or a class quiet until a moment, and give the mute's id. They are still recorded."""
    told = clean_text(reason.strip(), limit=400)
    wrong = []
    if len(told) < 3:
        wrong.append(FieldError("LENGTH", "reason", "3 to 400 characters", told))
    if not at < until <= at + LONGEST_MUTE:
        wrong.append(
            FieldError(
                "RANGE", "until", f"after now, at most {LONGEST_MUTE.days} days away", until.isoformat()
            )
        )
    if wrong:
        raise BadMute("A mute needs a reason and an end.", errors=tuple(wrong))
    mute = Mute.objects.create(
        tool=tool[:200], subject=subject[:16], until=until, reason=told, made_at=at, made_by=by.name[:160]
    )
    detail: dict[str, object] = {"tool": tool, "subject": subject, "until": until.isoformat(), "reason": told}
    record(subject=f"mute:{mute.pk}", verb="muted", actor=by, at=at, after=detail, detail=detail)
    return mute.pk


@transaction.atomic(durable=True)
def unmute_spikes(*, mute_id: int, by: Actor, at: datetime) -> None:
    """End a mute now; a second time changes nothing."""
    if not Mute.objects.filter(pk=mute_id).exists():
        raise NoSuchMute("There is no mute of that id.")
    if Mute.objects.filter(pk=mute_id, until__gt=at).update(until=at):
        record(subject=f"mute:{mute_id}", verb="unmuted", actor=by, at=at)


def _judge(row: Watch, now: Recent, *, minute: int, series: int, at: datetime) -> bool:
    """Let one minute act on one watch; give whether it has changed."""
    if not now.calls[2]:
        return False  # silence is neither recovery nor a lesson
    known = baseline(row.state)
    windows = ((now.calls[1], now.failures[1]), (now.calls[2], now.failures[2]))
    done = tick(known, Seen(minute, now.calls[0], now.failures[0], windows), series=series)
    row.state, row.minute = plain(done.baseline), minute
    if done.move is Move.OPEN:
        row.spike = _open(row, done, known, minute, at)
    elif done.move is Move.CLOSE and row.spike is not None:
        row.spike.closed_at = start_of(minute + 1, 1)
        if Spike.objects.filter(pk=row.spike.pk, closed_at__isnull=True).update(
            closed_at=row.spike.closed_at
        ):
            tell_of_spike(row.spike, at=at)
        announce.spike_on_commit(spike_id=row.spike.pk, at=at)
        row.spike = None
    return True


def _open(row: Watch, done: Tick, known: Baseline, minute: int, at: datetime) -> Spike:
    test = {**asdict(done.test), "ratio": round(min(done.test.ratio, 1e6), 2), "age": known.age}
    spike = Spike.objects.create(
        kind=SpikeKind.RATE if row.tool_id else SpikeKind.PERSON,
        tool_id=row.tool_id,
        subject=row.subject,
        opened_at=start_of(minute + 1, 1),
        test=test,
        explanation=beside(row.tool_id, row.subject, minute=minute, at=at),
    )
    announce.spike_on_commit(spike_id=spike.pk, at=at)
    tell_of_spike(spike, at=at)
    return spike


def _news(minute: int, at: datetime) -> None:
    """Tell of causes that were seen for the first time, and stop calling yesterday's new."""
    start, end = start_of(minute, 1), start_of(minute + 1, 1)
    first = Fingerprint.objects.filter(
        first_seen_at__gte=start, first_seen_at__lt=end, failure_class__in=NEWS
    )
    old_tools = Tool.objects.filter(first_seen_at__lt=start - KNOWN_FOR)
    for cause in first.filter(tool__in=old_tools).order_by("first_seen_at", "pk")[:50]:
        told = {
            "causes": [{"id": f"{cause.pk:016x}", "code": cause.code, "template": cause.template, "n": 1}]
        }
        spike = Spike.objects.create(
            kind=SpikeKind.NEW,
            tool_id=cause.tool_id,
            subject=cause.failure_class,
            fingerprint=cause.pk,
            opened_at=cause.first_seen_at,
            explanation={**told, "agents": [], "breakers": [], "deploy": None},
        )
        announce.spike_on_commit(spike_id=spike.pk, at=at)
        tell_of_spike(spike, at=at)
    stale = Spike.objects.filter(kind=SpikeKind.NEW, closed_at__isnull=True, opened_at__lt=at - NEWS_LASTS)
    stale.update(closed_at=at)
