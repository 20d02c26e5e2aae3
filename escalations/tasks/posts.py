"""Posting decisions to webhooks: HTTP on one side, one taken row on the other, no transaction open between."""

import logging

import httpx2
from celery import shared_task
from django.conf import settings
from django.utils.timezone import now

from console.kit import outbound
from escalations import operations
from escalations.operations import Post

log = logging.getLogger(__name__)
WITHIN_S = 10.0
MOST = 200


@shared_task(name="escalations.post_decisions", ignore_result=True)
def post_decisions(**_: object) -> None:
    """Post every decision that is due to its agent's webhook."""
    with httpx2.Client(timeout=WITHIN_S, follow_redirects=False, trust_env=False) as http:
        for _turn in range(MOST):
            post = operations.take_one_post(at=now())
            if post is None:
                return
            fault = _sent(http, post)
            operations.post_answered(decision_id=post.decision_id, fault=fault, at=now())


@shared_task(name="escalations.post_chains", ignore_result=True)
def post_chains(**_: object) -> None:
    """Post every message of a chain that is due to where its policy says."""
    with httpx2.Client(timeout=WITHIN_S, follow_redirects=False, trust_env=False) as http:
        for _turn in range(MOST):
            post = operations.take_one_chain_post(at=now())
            if post is None:
                return
            networks = settings.WEBHOOK_NETWORKS
            fault = outbound.post(http, post.url, body=post.body, headers=post.headers, networks=networks)
            operations.chain_post_answered(post_id=post.decision_id, fault=fault, at=now())


def _sent(http: httpx2.Client, post: Post) -> str:
    """Post it; give what went wrong, blank for a 2xx."""
    try:
        answer = http.post(post.url, content=post.body, headers=post.headers)
    except (httpx2.HTTPError, httpx2.InvalidURL) as exc:
        return f"{type(exc).__name__}: {exc}"
    return "" if answer.is_success else f"HTTP {answer.status_code}"
