"""What a decision would be, without making it: what the page shows before anything is sent."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from console.kit.refusal import Refused
from escalations.domain.digest import args_digest, decision_uuid
from escalations.domain.word import Word, worded
from escalations.models import Case, Revision


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """The final steps as they would be digested, how many differ, and the refusal that sending would meet."""

    revision: int
    steps: tuple[dict[str, Any], ...]
    edits: int
    args_digest: str
    refused: Refused | None


def preview(*, case_id: UUID, word: Word, decision_key: str) -> Preview:
    """Work a decision out on the current revision: the same function, the same digest as the decision's own."""
    case = Case.objects.get(pk=case_id)
    packed = Revision.objects.get(case=case, number=case.revision).package
    decision_id = decision_uuid(case.pk, case.revision, decision_key)
    try:
        may_become = tuple(case.policy.get("tools_may_become") or ())
        found = worded(packed, word, decision_id=decision_id, may_become=may_become)
    except Refused as refusal:
        return Preview(revision=case.revision, steps=(), edits=0, args_digest="", refused=refusal)
    digest = args_digest(case.pk, case.revision, found.steps)
    return Preview(
        revision=case.revision, steps=found.steps, edits=found.edits, args_digest=digest, refused=None
    )
