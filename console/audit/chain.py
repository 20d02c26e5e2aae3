"""The hash that ties an entry to the ones before it, from plain values."""

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime

from console.kit.canonical import canonical

GENESIS = "0" * 64


@dataclass(frozen=True, slots=True)
class Link:
    """What an entry's hash covers: everything it says, its place, and both hashes it stands on."""

    seq: int
    subject: str
    verb: str
    actor_kind: str
    actor_id: str
    actor_name: str
    source: str
    at: datetime
    before: str
    after: str
    detail: object
    previous: str
    subject_previous: str


def entry_hash(link: Link) -> str:
    """Give SHA-256 over the canonical JSON of the whole link; times in UTC with microseconds."""
    told = [
        link.seq,
        link.subject,
        link.verb,
        link.actor_kind,
        link.actor_id,
        link.actor_name,
        link.source,
        link.at.astimezone(UTC).isoformat(timespec="microseconds"),
        link.before,
        link.after,
        link.detail,
        link.previous,
        link.subject_previous,
    ]
    return hashlib.sha256(canonical(told)).hexdigest()
