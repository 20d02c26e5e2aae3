"""Writing an entry, inside the transaction of whatever it records."""

from datetime import datetime

from django.db import transaction

from console.audit.chain import GENESIS, Link, entry_hash
from console.audit.models import AuditEntry, AuditHead
from console.kit.actor import Actor
from console.kit.canonical import digest
from console.kit.clean import clean, clean_text


def record(
    *,
    subject: str,
    verb: str,
    actor: Actor,
    at: datetime,
    before: object = None,
    after: object = None,
    source: str = "",
    detail: dict[str, object] | None = None,
) -> int:
    """Append one entry and give its place.

    `subject` is `kind:id` (`case:4182`, `agent:…`, `breaker:name`). `before` and `after` are any JSON values; only
    their digests are kept. Must run inside a transaction: the entry stands or falls with the write it tells of.
    """
    head = _head()
    earlier = (
        AuditEntry.objects.filter(subject=subject).order_by("-seq").values_list("hash", flat=True).first()
    )
    link = Link(
        seq=head.seq + 1,
        subject=subject,
        verb=verb,
        actor_kind=actor.kind.value,
        actor_id=actor.id,
        actor_name=clean_text(actor.name, limit=160),
        source=source,
        at=at,
        before=_digest(before),
        after=_digest(after),
        detail=clean(detail or {}).value,
        previous=head.hash,
        subject_previous=earlier or GENESIS,
    )
    sealed = entry_hash(link)
    AuditEntry.objects.create(**{name: getattr(link, name) for name in Link.__slots__}, hash=sealed)
    AuditHead.objects.filter(pk=head.pk).update(seq=link.seq, hash=sealed)
    return link.seq


def _head() -> AuditHead:
    """Lock the end of the chain. On SQLite the transaction holds the one write lock already."""
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("An audit entry belongs inside the transaction of the write it records.")
    AuditHead.objects.bulk_create([AuditHead(id=1, seq=0, hash=GENESIS)], ignore_conflicts=True)
    return AuditHead.objects.select_for_update().get(pk=1)


def _digest(value: object) -> str:
    return "" if value is None else digest(clean(value).value)
