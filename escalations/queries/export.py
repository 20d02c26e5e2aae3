"""What was decided and what came of it, one line a decision: the data that agents are tuned with."""

from collections.abc import Iterator, Mapping
from typing import Any

from escalations.models import Decision, Outcome, Revision
from escalations.queries.wire import decision_of, spelled

CHUNK = 500


def decision_lines(*, agent: str = "") -> Iterator[dict[str, Any]]:
    """Give every decision with the failure, the plans, what was changed, the reason and the outcome; oldest first."""
    rows = Decision.objects.filter(retracted_at__isnull=True)
    found = rows.filter(case__agent_name=agent) if agent else rows
    # Only the ids are sorted and held: whole rows would be as large in memory as in the database.
    ids = list(found.order_by("decided_at", "case__number", "revision", "id").values_list("pk", flat=True))
    for start in range(0, len(ids), CHUNK):
        wanted = ids[start : start + CHUNK]
        batch = {row.pk: row for row in rows.filter(pk__in=wanted).select_related("case")}
        yield from _lines([batch[each] for each in wanted if each in batch])


def _lines(batch: list[Decision]) -> Iterator[dict[str, Any]]:
    cases = {row.case_id for row in batch}
    packages = {(row.case_id, row.number): row.package for row in Revision.objects.filter(case_id__in=cases)}
    outcomes: dict[object, list[Outcome]] = {}
    for outcome in Outcome.objects.filter(decision__in=batch).order_by("reported_at", "id"):
        outcomes.setdefault(outcome.decision_id, []).append(outcome)
    for row in batch:
        yield _line(row, packages[row.case_id, row.revision], outcomes.get(row.pk, []))


def _line(row: Decision, package: Mapping[str, Any], outcomes: list[Outcome]) -> dict[str, Any]:
    decision = spelled(decision_of(row))
    return {
        "case": str(row.case),
        "escalation_id": str(row.case_id),
        "revision": row.revision,
        "agent": row.case.agent_name,
        "trace_id": row.case.trace_id,
        "trigger": package.get("trigger"),
        "severity": package.get("severity"),
        "title": package.get("title"),
        "goal": package.get("goal"),
        "failure": package.get("failure"),
        "steps_done": package.get("steps"),
        "proposals": package.get("proposals"),
        "question": package.get("question"),
        "decision": decision,
        "changes": _changes(row, package),
        "reason": row.reason,
        "execution": row.execution,
        "outcomes": [{"status": each.status, "steps": each.steps} for each in outcomes],
    }


def _changes(row: Decision, package: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Give what the person changed: each step that was skipped, or has other arguments than proposed."""
    plan: Mapping[str, Any] = next(
        (each for each in package.get("proposals") or () if each["id"] == row.proposal_id), {}
    )
    proposed = {step["id"]: step.get("args") for step in plan.get("steps") or ()}
    return [
        {
            "step": step["id"],
            "run": step["run"],
            "proposed": proposed.get(step["id"]),
            "decided": step["args"],
        }
        for step in row.steps
        if step.get("edited") or not step["run"]
    ]
