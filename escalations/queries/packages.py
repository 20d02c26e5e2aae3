"""A case's package as it is stored: everything the agent sent, with what was made safe or redacted on the way."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from console.kit.actor import Actor
from escalations.domain import permissions, schema
from escalations.models import Case, Revision
from escalations.queries.case_page import case_id
from escalations.queries.states import subject_of
from escalations.vocabulary import Verb


@dataclass(frozen=True, slots=True, kw_only=True)
class PackageShown:
    """One revision of a package; `redacted` are the paths of what only the agent can see."""

    ref: str
    title: str
    revision: int
    revisions: tuple[int, ...]
    made_at: datetime
    package: Mapping[str, Any]
    flags: tuple[str, ...]
    redacted: tuple[str, ...]


class NoSuchRevision(permissions.NoSuchCase):
    """The case has no revision of that number."""


def package_shown(*, ref: str, revision: int | None, actor: Actor) -> PackageShown:
    """Give a revision of a case's package, the current one where none is named."""
    case = Case.objects.get(pk=case_id(ref=ref))
    if (refusal := permissions.why_not(actor, Verb.LOOK, subject_of(case))) is not None:
        raise refusal
    made = {each.number: each for each in Revision.objects.filter(case=case).order_by("number")}
    found = made.get(revision or case.revision)
    if found is None:
        raise NoSuchRevision("There is no such revision.")
    return PackageShown(
        ref=str(case),
        title=case.title,
        revision=found.number,
        revisions=tuple(made),
        made_at=found.made_at,
        package={name: value for name, value in found.package.items() if value not in (None, [], {}, "")},
        flags=tuple(found.flags),
        redacted=tuple(schema.dotted(path) for path in schema.refs(found.package)),
    )
