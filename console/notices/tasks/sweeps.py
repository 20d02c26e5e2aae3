"""The sweeps of the outbox: address, offer, send, forget. Safe to run twice, late, or beside themselves."""

import logging

from celery import shared_task
from django.utils.timezone import now

from console.notices import operations, queries
from console.notices.tasks.sending import send_due

log = logging.getLogger(__name__)
MOST = 100


@shared_task(name="notices.deliver", ignore_result=True)
def deliver(**_: object) -> None:
    """Address what is new, offer it to browsers, and send what is due."""
    if not queries.anything_due(at=now()):
        return  # a look without a lock, which is what most of them are
    for _turn in range(MOST):
        if not operations.address_some(at=now()):
            break
    for _turn in range(MOST):
        if not operations.offer_one(at=now()):
            break
    operations.end_unseen(at=now())
    send_due()


@shared_task(name="notices.forget", ignore_result=True)
def forget(**_: object) -> None:
    """Forget the log beyond its age."""
    while operations.forget_some(at=now()):
        log.debug("more of the log of notices is old")
