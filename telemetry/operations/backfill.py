"""Stored failures follow what people say: each word starts a back-fill, and a sweep does it chunk by chunk."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db import transaction

from console.kit.actor import Actor
from telemetry.domain.ids import first_id
from telemetry.models import Backfill, Call, Series
from telemetry.operations.judging import Judged, judge, write_down

CHUNK = 100  # the writing of so many keeps nobody waiting
KNOWN_AFTER = timedelta(seconds=8)  # by then every process that takes reports has read the word


def start_backfill(*, tool: str, why: str, by: Actor, at: datetime) -> int:
    """Note that the failures of a tool (or of all) are to be judged again, inside the transaction of the word.

    Words that come while one of the same tool has not begun share its work.
    """
    due = at + KNOWN_AFTER
    waiting = Backfill.objects.select_for_update().filter(tool=tool, done_at__isnull=True, series=-1)
    if (known := waiting.first()) is not None:
        known.due_at, known.until, known.why = due, first_id(due), f"{known.why}; {why}"[:200]
        known.save(update_fields=["due_at", "until", "why"])
        return known.pk
    job = Backfill.objects.create(
        tool=tool, why=why[:200], due_at=due, until=first_id(due), made_at=at, made_by=by.name[:160]
    )
    return job.pk


def backfill_one_chunk(*, at: datetime) -> bool:
    """Do a piece of the oldest back-fill; give whether there was one to do. Two at once do it once.

    Calls are read and judged outside of any transaction; it is short, and only what changes is locked.
    """
    job = Backfill.objects.filter(done_at__isnull=True, due_at__lte=at).order_by("pk").first()
    if job is None:
        return False
    place, ids = _place(job), list[int]()
    for series, found in _series(job):
        ids += found
        job.series, job.after = series, found[-1] if found else job.after
        if len(ids) >= CHUNK:
            break
        job.after = 0
    else:
        job.done_at = at
    job.seen += len(ids)
    _write(job, place, judge(ids), at=at)
    return True


@transaction.atomic(durable=True)
def _write(job: Backfill, place: tuple[object, ...], judged: Judged, *, at: datetime) -> None:
    """Write a piece, unless somebody else has done it, or a further word has joined before it began."""
    standing = Backfill.objects.select_for_update(skip_locked=True).filter(pk=job.pk).first()
    if standing is None or _place(standing) != place:
        return
    job.changed += write_down(judged, at=at)
    job.save(update_fields=["series", "after", "seen", "changed", "done_at"])


def _place(job: Backfill) -> tuple[object, ...]:
    return (job.series, job.after, job.seen, job.due_at, job.until, job.done_at)


def _series(job: Backfill) -> Iterator[tuple[int, list[int]]]:
    """Walk the series of failures in the order of their ids, each from where the last piece has stopped."""
    rows = Series.objects.filter(kind="o", pk__gte=job.series).exclude(agent_id=0).exclude(failure_class="")
    if job.tool:
        rows = rows.filter(tool__name=job.tool)
    for series in rows.order_by("pk").values_list("pk", flat=True):
        after = job.after if series == job.series else 0
        calls = Call.objects.filter(series_id=series, pk__gt=after, pk__lt=job.until).order_by("pk")
        yield series, list(calls.values_list("pk", flat=True)[:CHUNK])
