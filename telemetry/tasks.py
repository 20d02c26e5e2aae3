"""Sweeps: loops of "do one due thing" over rows. Safe to run twice, late, or beside themselves."""

from collections.abc import Callable
from datetime import timedelta

from celery import shared_task
from django.conf import settings
from django.utils.timezone import now

from telemetry import operations

MOST = 1_000  # one run gives way after so many; the next goes on
FEW = 10  # pieces of work that others should not have to wait for


@shared_task(name="telemetry.end_commands", ignore_result=True)
def end_commands(**_: object) -> None:
    """Note the commands to breakers that have run out."""
    _sweep(lambda: operations.end_one_command(at=now()))


@shared_task(name="telemetry.notice_silence", ignore_result=True)
def notice_silence(**_: object) -> None:
    """Note the instances whose heartbeats have stopped."""
    after = settings.BREAKER_STALE_AFTER_S
    _sweep(lambda: operations.notice_one_silence(stale_after_s=after, at=now()))


@shared_task(name="telemetry.watch", ignore_result=True)
def watch(**_: object) -> None:
    """Judge the minutes that are over for spikes."""
    _sweep(lambda: operations.watch_one_minute(at=now()))


@shared_task(name="telemetry.backfill", ignore_result=True)
def backfill(**_: object) -> None:
    """Judge stored failures again after people's words, a few pieces at a time."""
    _sweep(lambda: operations.backfill_one_chunk(at=now()), most=FEW)


@shared_task(name="telemetry.forget", ignore_result=True)
def forget(**_: object) -> None:
    """Drop what is kept long enough."""
    at = now()
    days = {name: timedelta(days=getattr(settings, name)) for name in ("CALLS_KEEP_DAYS", "EVENTS_KEEP_DAYS")}
    _sweep(lambda: operations.prune_calls(older_than=at - days["CALLS_KEEP_DAYS"]))
    operations.prune_contexts(older_than=at - days["CALLS_KEEP_DAYS"])
    operations.prune_counters(at=at, keep=settings.COUNTERS_KEEP)
    operations.prune_breaker_events(older_than=at - days["EVENTS_KEEP_DAYS"])


def _sweep(do_one: Callable[[], bool], *, most: int = MOST) -> None:
    for _ in range(most):
        if not do_one():
            return
