"""The digest that ties a decision to the calls it allows (design §4), and keys derived from decisions."""

from collections.abc import Iterable, Mapping
from uuid import UUID, uuid5

from console.kit.canonical import digest

DIGESTED = ("id", "tool", "args", "depends_on", "run_if", "idempotency_key", "run")


def args_digest(escalation_id: UUID, revision: int, steps: Iterable[Mapping[str, object]]) -> str:
    """Give SHA-256 of the canonical `[escalation_id, revision, ordered steps]`, as 64 hexadecimal digits."""
    rows = []
    for step in steps:
        row = {name: step.get(name) for name in DIGESTED}
        row["depends_on"] = list(row["depends_on"] or ())  # type: ignore[call-overload]  # a list of ids, or absent
        rows.append(row)
    return digest([str(escalation_id), revision, rows])


def decision_uuid(escalation_id: UUID, revision: int, decision_key: str) -> UUID:
    """Give the id that a decision under this key will have, so that its digest can be shown before it is made."""
    return uuid5(escalation_id, f"{revision}:{decision_key}")


def edited_key(decision_id: UUID, step_id: str) -> str:
    """Give the idempotency key of an edited step: another effect than the proposed one, the same at every retry."""
    return f"edit-{digest([str(decision_id), step_id])[:40]}"
