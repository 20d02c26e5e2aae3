"""Posting decisions and messages of chains: HTTP in threads, one taken row each, no transaction open between."""

import threading
from collections.abc import Callable, Collection
from datetime import datetime
from typing import Protocol
from uuid import UUID

import httpx2
from celery import shared_task
from django.conf import settings
from django.utils.timezone import now

from console.kit import outbound
from console.kit.under_way import UnderWay
from escalations import operations
from escalations.operations import Post
from escalations.queries.posts import chain_posts_due, posts_due

MOST = 1_000  # one run gives way after so many; the next goes on
_decisions, _chains = threading.Lock(), threading.Lock()  # one run of each per process


class Take(Protocol):
    """What takes the next post that is due."""

    def __call__(self, *, at: datetime, busy: Collection[str]) -> Post | None:
        """Take it, unless its line is busy."""
        ...


@shared_task(name="escalations.post_decisions", ignore_result=True)
def post_decisions(**_: object) -> None:
    """Post every decision that is due to its agent's webhook."""

    def answered(post_id: UUID, fault: str) -> None:
        operations.post_answered(decision_id=post_id, fault=fault, at=now())

    if posts_due(at=now()).exists():  # a look without a lock, which is what most of them are
        _alone(_decisions, operations.take_one_post, answered)


@shared_task(name="escalations.post_chains", ignore_result=True)
def post_chains(**_: object) -> None:
    """Post every message of a chain that is due to where its policy says."""

    def answered(post_id: UUID, fault: str) -> None:
        operations.chain_post_answered(post_id=post_id, fault=fault, at=now())

    if chain_posts_due(at=now()).exists():
        _alone(_chains, operations.take_one_chain_post, answered)


def _alone(lock: threading.Lock, take: Take, answered: Callable[[UUID, str], None]) -> None:
    if not lock.acquire(blocking=False):
        return
    try:
        with outbound.client() as http:
            _post_due(http, take, answered)
    finally:
        lock.release()


def _post_due(http: httpx2.Client, take: Take, answered: Callable[[UUID, str], None]) -> None:
    """Post to many receivers at once and to each one message at a time; rows are touched by this thread only."""

    def sent(post: Post) -> str:
        networks = settings.WEBHOOK_NETWORKS
        return outbound.post(http, post.url, body=post.body, headers=post.headers, networks=networks)

    under_way, begun = UnderWay(sent), 0
    while True:
        while begun < MOST and not under_way.full() and (post := _next(take, under_way)) is not None:
            under_way.begin(post.id, post, name=f"post {post.id}")
            begun += 1
        if not len(under_way):
            return
        for post, fault in under_way.ended():
            answered(post.id, fault)


def _next(take: Take, under_way: UnderWay[Post]) -> Post | None:
    return take(at=now(), busy=[post.line for post in under_way.messages()])
