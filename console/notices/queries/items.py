"""A notice as a value."""

from console.notices.models import Notice
from console.notices.queries.shapes import Item


def item_of(row: Notice) -> Item:
    """Give one notice as messages and pages tell it."""
    return Item(
        notice_id=row.pk,
        topic=row.topic,
        subject_key=row.subject_key,
        urgency=row.urgency,
        at=row.at,
        words=row.words,
        link=row.link,
    )
