"""What is due to be posted to somebody's server, and the messages of a case's chain."""

from datetime import datetime
from uuid import UUID

from django.db.models import QuerySet

from console.kit.actor import Actor
from escalations import contract
from escalations.domain import permissions
from escalations.models import Case, ChainPost, Decision
from escalations.queries.states import subject_of
from escalations.vocabulary import Verb


def posts_due(*, at: datetime) -> QuerySet[Decision]:
    """Give the decisions that are due to be posted; looking takes no lock."""
    return Decision.objects.filter(
        webhook_at__lte=at, deliver_after__lte=at, acknowledged_at__isnull=True, retracted_at__isnull=True
    )


def chain_posts_due(*, at: datetime) -> QuerySet[ChainPost]:
    """Give the messages of chains that are due to be posted."""
    return ChainPost.objects.filter(due_at__lte=at)


def chain_posts(*, case_id: UUID, actor: Actor) -> contract.ChainPosts:
    """Give the messages that the chain of a case put out, and how each one stands."""
    permissions.insist_on_person(actor)
    case = Case.objects.filter(pk=case_id).first()
    if case is None:
        raise permissions.NoSuchCase("There is no such case.")
    if (refusal := permissions.why_not(actor, Verb.LOOK, subject_of(case))) is not None:
        raise refusal
    rows = ChainPost.objects.filter(case=case).order_by("made_at", "id")
    return contract.ChainPosts(posts=tuple(_told(row) for row in rows))


def _told(row: ChainPost) -> contract.ChainPostView:
    return contract.ChainPostView(
        id=row.pk,
        url=row.url,
        made_at=row.made_at,
        sent_at=row.sent_at,
        next_try_at=row.due_at,
        tries=row.tries,
        fault=row.error,
    )
