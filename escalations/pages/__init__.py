"""What operators see and do: request in, one query or one operation, page or redirect out."""

from escalations.pages.case_view import case
from escalations.pages.decisions import claim, decide, draft, note, release, resolve, retract
from escalations.pages.queue_view import preview, queue, row

__all__ = [
    "case",
    "claim",
    "decide",
    "draft",
    "note",
    "preview",
    "queue",
    "release",
    "resolve",
    "retract",
    "row",
]
