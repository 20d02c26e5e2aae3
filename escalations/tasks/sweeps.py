"""Sweeps: loops of "do one due thing" over rows. Safe to run twice, late, or beside themselves."""

import logging
from collections.abc import Callable

from celery import shared_task
from django.utils.timezone import now

from escalations import operations
from escalations.operations.rows import MovedUnderneath

log = logging.getLogger(__name__)
MOST = 1_000  # one run gives way after so many; the next goes on


@shared_task(name="escalations.expire_overdue", ignore_result=True)
def expire_overdue(**_: object) -> None:
    """Close what nobody decided by its deadline, as its agent declared."""
    _sweep(lambda: operations.expire_one(at=now()))


@shared_task(name="escalations.free_lapsed_claims", ignore_result=True)
def free_lapsed_claims(**_: object) -> None:
    """Free the cases whose leases are over."""
    _sweep(lambda: operations.lapse_one(at=now()))


@shared_task(name="escalations.notice_silence", ignore_result=True)
def notice_silence(**_: object) -> None:
    """Say of decisions that nobody reports about that nobody knows."""
    _sweep(lambda: operations.no_report_one(at=now()))


@shared_task(name="escalations.follow_chains", ignore_result=True)
def follow_chains(**_: object) -> None:
    """Do what is due while nobody decides: steps of chains, reminders, rests that are over."""
    _sweep(lambda: operations.wake_one(at=now()))
    _sweep(lambda: operations.chain_one(at=now()))
    _sweep(lambda: operations.remind_one(at=now()))


@shared_task(name="escalations.decide_by_policy", ignore_result=True)
def decide_by_policy(**_: object) -> None:
    """Let policies decide what they may decide by themselves."""
    _sweep(lambda: operations.decide_by_policy_one(at=now()))


def _sweep(do_one: Callable[[], bool]) -> None:
    for _ in range(MOST):
        try:
            if not do_one():
                return
        except MovedUnderneath:  # a person got there first; the next look sees it
            log.debug("a sweep met somebody at work")
