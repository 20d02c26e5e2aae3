"""The one byte string of a JSON value (RFC 8785), and the digest that ties a decision to its steps."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

import rfc8785

from switchboard._errors import Unsendable

DIGESTED = ("id", "tool", "args", "depends_on", "run_if", "idempotency_key", "run")


def canonical(value: object) -> bytes:
    """Give the RFC 8785 form; raise Unsendable, with the reason, for what has none."""
    try:
        return rfc8785.dumps(value)  # type: ignore[arg-type]  # its recursive alias does not take `object`
    except (rfc8785.CanonicalizationError, UnicodeEncodeError, RecursionError) as exc:
        raise Unsendable(f"This value has no one form in JSON: {exc}. Send large integers as text.") from exc


def digest(value: object) -> str:
    """Give the SHA-256 of the canonical form, as 64 hexadecimal digits."""
    return hashlib.sha256(canonical(value)).hexdigest()


def args_digest(escalation_id: str, revision: int, steps: Iterable[Mapping[str, Any]]) -> str:
    """Give the digest of the final steps as design §4 defines it: what runs is what was approved."""
    rows = []
    for step in steps:
        row = {name: step.get(name) for name in DIGESTED}
        row["depends_on"] = row["depends_on"] or []
        rows.append(row)
    return digest([escalation_id, revision, rows])
