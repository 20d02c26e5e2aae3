"""Reads the books after `manage.py bench race`: every decision, digest and outcome, and the audit's chain."""

import json
from collections import Counter

import django

django.setup()

from console.audit.models import AuditEntry  # noqa: E402  # after the set-up, as everything below
from console.audit.queries import verify  # noqa: E402
from escalations.domain.digest import args_digest  # noqa: E402
from escalations.models import Case, Decision  # noqa: E402

DECIDED = ("approved", "edited", "rejected", "responded")


def main() -> None:
    """Print what stands in the rows, recomputed where it can be."""
    rows = list(Decision.objects.filter(retracted_at__isnull=True).select_related("case"))
    per_case = Counter(row.case_id for row in rows)
    wrong = sum(args_digest(row.case_id, row.revision, row.steps) != row.args_digest for row in rows)
    proof = verify()
    by_source = Counter(AuditEntry.objects.filter(verb__in=DECIDED).values_list("source", flat=True))
    told = {
        "cases": Case.objects.count(),
        "decisions": len(rows),
        "twice": sum(n > 1 for n in per_case.values()),
        "digests_wrong": wrong,
        "breaks": len(proof.breaks),
        "entries": proof.entries,
        "lost_races_in_audit": AuditEntry.objects.filter(verb="decision_refused").count(),
        "by_source": dict(by_source),
        "decided": {row.case.goal.removeprefix("Refund "): _said(row) for row in rows},
    }
    print(json.dumps(told))


def _said(row: Decision) -> dict[str, object]:
    amounts = [step["args"]["amount"] for step in row.steps if step["run"]]
    return {"action": row.action, "execution": row.execution, "amounts": amounts}


main()
