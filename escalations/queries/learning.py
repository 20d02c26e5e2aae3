"""What people have decided alike, read from history; and how rules that only watch would have done."""

from collections.abc import Iterator, Mapping
from typing import Any

from console.kit.canonical import digest
from escalations import contract
from escalations.domain import learning, package, plan, policy
from escalations.domain.lifecycle import UNDECIDED
from escalations.models import Case, Decision, Dismissal, Policy, Revision
from escalations.queries.policies import backtest, effect_of, match_of
from escalations.vocabulary import Action, DeciderKind, Execution

LOOKED_AT = 1_000
LATEST = 50


def suggestions(*, least: int = learning.LEAST) -> contract.Suggestions:
    """Give every rule that people have followed already; none that was dismissed, or that a policy has."""
    unwanted = set(Dismissal.objects.values_list("suggestion", flat=True))
    taken = _taken()
    found = [
        each
        for each in learning.suggestions(_past(), least=least)
        if each.id not in unwanted and digest(dict(each.match)) not in taken
    ]
    return contract.Suggestions(suggestions=tuple(_told(each) for each in found))


def suggestion(*, suggestion_id: str) -> learning.Suggestion | None:
    """Give one suggestion as history has it now, None where it speaks for it no longer."""
    return next((each for each in learning.suggestions(_past()) if each.id == suggestion_id), None)


def is_taken(found: learning.Suggestion) -> bool:
    """Say whether a policy has just the match of a suggestion."""
    return digest(dict(found.match)) in _taken()


def _taken() -> set[str]:
    return {digest(match) for match in Policy.objects.values_list("match", flat=True)}


def shadow_report(*, name: str) -> contract.ShadowReport:
    """Hold a policy that watches against what people decided in the cases it fell upon."""
    row = Policy.objects.filter(name=name).first()
    said = row.effect.get("decide") if row else None
    since = row.changed_at if row else None
    cases = Case.objects.filter(opened_at__gte=since) if since else Case.objects.none()
    watched = [case for case in cases.order_by("-opened_at", "-id")[:LOOKED_AT] if name in _shadows(case)]
    packages = _packages(watched)
    lines = [_shadow(case, packages[case.pk, case.revision], row, said) for case in watched]
    return contract.ShadowReport(
        name=name,
        cases=len(lines),
        agreed=sum(each.agreed is True for each in lines),
        contrary=sum(each.agreed is False for each in lines),
        undecided=sum(case.decision in UNDECIDED for case in watched),
        latest=tuple(lines[:LATEST]),
    )


def _past() -> Iterator[learning.Past]:
    rows = Decision.objects.filter(
        by_kind=DeciderKind.PERSON, retracted_at__isnull=True, action__in=list(Action)
    )
    newest = list(rows.select_related("case").order_by("-decided_at", "-seq")[:LOOKED_AT])
    packages = _packages([row.case for row in newest])
    for row in reversed(newest):
        if (packed := packages.get((row.case_id, row.revision))) is not None:
            yield _one(row, packed)


def _one(row: Decision, packed: Mapping[str, Any]) -> learning.Past:
    failure = packed.get("failure") or {}
    by_id = {each.id: each for each in plan.proposals_of(packed)}
    chosen = by_id.get(row.proposal_id) or package.recommended_plan(packed)
    acting = _acting(chosen)
    args = acting.args if acting else failure.get("args")
    return learning.Past(
        ref=str(row.case),
        tool=failure.get("tool") or "",
        failure_class=failure.get("class") or "",
        code=failure.get("code") or "",
        action=Action(row.action),
        changed=row.action == Action.EDIT,
        tools=policy.plan_tools(chosen) if chosen and row.action == Action.APPROVE else (),
        args=args if isinstance(args, Mapping) else {},
        acting_tool=acting.tool if acting else failure.get("tool") or "",
        writes=chosen is not None and not chosen.reads_only,
        by=row.by_name,
        decided_at=row.decided_at,
        execution=Execution(row.execution),
        message=row.message,
    )


def _acting(chosen: plan.Proposal | None) -> plan.Step | None:
    """Give the call that a plan is about: its one write, or its one call; None where there are several.

    A rule that decides holds every condition against every writing call, so a plan of several different ones has none.
    """
    if chosen is None:
        return None
    writes = [step for step in chosen.steps if step.side_effect != plan.READ] or list(chosen.steps)
    return writes[0] if len({step.tool for step in writes}) == 1 else None


def _packages(cases: list[Case]) -> dict[tuple[object, int], dict[str, Any]]:
    rows = Revision.objects.filter(case__in={case.pk for case in cases})
    return {(row.case_id, row.number): row.package for row in rows}


def _told(found: learning.Suggestion) -> contract.Suggestion:
    return contract.Suggestion(
        id=found.id,
        name=found.name,
        match=dict(found.match),
        effect={"decide": dict(found.decide)},
        cases=found.refs,
        people=found.people,
        since=found.since,
        until=found.until,
        would_have=backtest(match=found.match),
    )


def _shadows(case: Case) -> list[str]:
    return list(case.policy.get("shadows") or ())


def _shadow(
    case: Case, packed: Mapping[str, Any], row: Policy | None, said: Mapping[str, Any] | None
) -> contract.ShadowCase:
    would = ""
    if row is not None and said:
        auto = effect_of(row.effect).decide
        fits = auto is not None and not policy.why_not_auto(auto, match_of(row.match), packed)
        would = str(said["action"]) if fits else ""
    decided = {Action.APPROVE: "approved", Action.REJECT: "rejected"}.get(Action(would)) if would else None
    open_ = case.decision in UNDECIDED
    return contract.ShadowCase(
        id=case.pk,
        ref=str(case),
        would=would,
        decision=case.decision,
        agreed=None if decided is None or open_ else case.decision == decided,
    )
