"""What people write beside a case: notes for the next, and drafts of what they begin to decide."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from console.audit.operations import record
from console.kit.actor import Actor
from console.kit.clean import clean, clean_text, visible
from console.kit.refusal import FieldError, Kind, Refused
from escalations import announce
from escalations.models import Draft, Note
from escalations.operations.rows import load
from escalations.vocabulary import Source, Verb

LONGEST_DRAFT = 1 << 20


class EmptyNote(Refused):
    """There is nothing in the note."""

    kind, code = Kind.INVALID, "EMPTY_NOTE"


@transaction.atomic(durable=True)
def add_note(*, case_id: UUID, text: str, by: Actor, at: datetime, source: Source = Source.API) -> int:
    """Add a note to the thread and give its id."""
    row = load(case_id, by=by, verb=Verb.NOTE)
    kept = clean_text(visible(text))
    if not kept:
        wrong = FieldError("MISSING", "text", "some words", None, "Write something.")
        raise EmptyNote("The note is empty.", errors=(wrong,))
    note = Note.objects.create(
        case=row, by_id=by.id, by_name=clean_text(by.name, limit=160), text=kept, at=at
    )
    detail: dict[str, object] = {"note": note.pk, "revision": row.revision}
    record(
        subject=f"case:{row.number}", verb="noted", actor=by, at=at, after=kept, source=source, detail=detail
    )
    announce.case_changed(case_id=row.pk, version=row.version)
    return note.pk


@transaction.atomic(durable=True)
def save_draft(*, case_id: UUID, revision: int, body: dict[str, Any], by: Actor, at: datetime) -> None:
    """Keep what a person has begun, for themselves alone; a draft changes no case, so the audit has no entry of it.

    `body` is what a decision would carry (action, proposal_id, steps, answer, message), as far as it has come.
    """
    row = load(case_id, by=by, verb=Verb.DRAFT)
    kept = clean(body, text_limit=LONGEST_DRAFT).value
    Draft.objects.update_or_create(
        case=row, revision=revision, person_id=by.id, defaults={"body": kept, "saved_at": at}
    )


@transaction.atomic(durable=True)
def discard_draft(*, case_id: UUID, by: Actor) -> None:
    """Throw a person's own drafts about a case away."""
    row = load(case_id, by=by, verb=Verb.DRAFT)
    Draft.objects.filter(case=row, person_id=by.id).delete()
