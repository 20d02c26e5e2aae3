"""Putting a notice into the outbox, inside the transaction of whatever it tells of."""

import hashlib
import uuid
from datetime import datetime

from django.db import transaction

from console.notices.domain.audience import Audience
from console.notices.domain.words import Words, inside
from console.notices.models import Notice
from console.notices.vocabulary import Topic, Urgency

LONGEST_KEY = 200


def notify(
    *,
    topic: Topic,
    subject_key: str,
    at: datetime,
    audience: Audience,
    words: Words,
    link: str,
    urgency: Urgency = Urgency.NORMAL,
    once: str = "",
) -> None:
    """Write one row; a sweep finds out whom it reaches, and sends. Must run inside the caller's transaction.

        notify(
            topic=Topic.CASE_OPENED,
            subject_key=f"case:{row.pk}",  # settings.NOTICE_SUBJECTS says who is asked before it is sent
            at=at,
            audience=Audience(queue=row.queue),  # or people={"7"}, roles={"sre"}; not_to=by.id: who knows already
            words=Words(ref=str(row), title=row.title),
            link=f"/cases/{row}/",
            once=f"opened:{row.pk}:{row.revision}",  # the same text again writes nothing
        )

    The sentence is made per topic when it is sent, in the reader's language; `words` is a closed set, so arguments,
    results and messages of tools cannot travel. `link` is a path of this console that only shows something.
    Costs one INSERT and never raises for reasons of delivery.
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("A notice belongs inside the transaction of the write it tells of.")
    told = {"topic": topic, "subject_key": subject_key[:160], "urgency": urgency, "at": at, "fan_at": at}
    whom = {"people": sorted(audience.people), "queue": audience.queue, "roles": sorted(audience.roles)}
    row = Notice(
        once=_key(once), words=words.kept(), link=inside(link), not_to=audience.not_to, **told, **whom
    )
    Notice.objects.bulk_create([row], ignore_conflicts=True)


def _key(once: str) -> str:
    if len(once) > LONGEST_KEY:
        return hashlib.sha256(once.encode()).hexdigest()
    return once or str(uuid.uuid4())
