"""Policies as the domain asks them, as the API lists them, and against history."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import Q

from console.kit.paging import Page, decode, page_of
from escalations import contract
from escalations.domain import policy
from escalations.models import Case, Policy, Revision
from escalations.vocabulary import Comparison, OnTimeout, PolicyMode


def rules() -> tuple[policy.Rule, ...]:
    """Give the rules that rule or watch, in the order they are asked."""
    rows = Policy.objects.exclude(mode=PolicyMode.OFF).order_by("position", "id")
    return tuple(_rule(row) for row in rows)


def rules_still(*, name: str, version: int, at: datetime) -> bool:
    """Say whether a policy rules as it did when a case was opened under it: not changed, switched off or over."""
    row = Policy.objects.filter(name=name, version=version, mode=PolicyMode.ON).first()
    return row is not None and (row.expires_at is None or row.expires_at > at)


def listed_policies() -> contract.Policies:
    """Give every rule as the API tells it."""
    rows = Policy.objects.order_by("position", "id")
    return contract.Policies(policies=tuple(policy_told(row) for row in rows))


def policy_rows(*, search: str = "", after: str | None = None, limit: int) -> Page[contract.Policy]:
    """Give a page of rules in the order they are asked; words look in name, owner, tool, agent and queue."""
    rows = Policy.objects.order_by("position", "id")
    for part in search.split():
        rows = rows.filter(_says(part))
    if after:
        position, key = decode(after, int, int)
        rows = rows.filter(Q(position__gt=position) | Q(position=position, pk__gt=key))
    page = page_of(list(rows[: limit + 1]), limit=limit, key=lambda row: (row.position, row.pk))
    return Page(tuple(policy_told(row) for row in page.rows), page.after)


def _says(part: str) -> Q:
    places = ("name", "owner_name", "match__tool", "match__agent", "effect__queue")
    found = Q()
    for place in places:
        found |= Q(**{f"{place}__icontains": part})
    return found


def policy_named(name: str) -> contract.Policy | None:
    """Give the rule of that name, None where there is none."""
    row = Policy.objects.filter(name=name).first()
    return policy_told(row) if row else None


def deciding(*, limit: int) -> tuple[str, ...]:
    """Give the names of the rules that decide by themselves, in the order they are asked."""
    rows = Policy.objects.exclude(mode=PolicyMode.OFF).filter(effect__decide__action__isnull=False)
    rows = rows.order_by("position", "id")
    return tuple(rows.values_list("name", flat=True)[:limit])


def match_of_version(*, name: str, version: int) -> Mapping[str, Any]:
    """Give which cases a rule means, empty where there is no such rule, or not in this version any more."""
    if not name:
        return {}
    return Policy.objects.filter(name=name, version=version).values_list("match", flat=True).first() or {}


def backtest(*, match: Mapping[str, Any], limit: int = 500) -> contract.Backtest:
    """Give which of the newest cases a match would have held for, and how they ended."""
    wanted = match_of(match)
    cases = list(Case.objects.order_by("-opened_at", "-id")[:limit])
    current = {(row.case_id, row.number): row.package for row in Revision.objects.filter(case__in=cases)}
    hits = [
        case
        for case in cases
        if policy.holds(
            wanted, policy.Subject(agent=case.agent_name, package=current[case.pk, case.revision])
        )
    ]
    return contract.Backtest(looked_at=len(cases), hits=tuple(_hit(case) for case in hits))


def policy_told(row: Policy) -> contract.Policy:
    """Give one rule as the API tells it."""
    return contract.Policy(
        name=row.name,
        version=row.version,
        mode=PolicyMode(row.mode),
        position=row.position,
        match=row.match,
        effect=row.effect,
        owner=row.owner_name,
        expires_at=row.expires_at,
        changed_at=row.changed_at,
    )


def match_of(said: Mapping[str, Any]) -> policy.Match:
    """Read a stored match."""
    arguments = tuple(
        policy.Condition(path=each["path"], is_=Comparison(each["is"]), value=each["value"])
        for each in said.get("arguments") or ()
    )
    words = {name: said.get(name) or "" for name in ("tool", "agent", "trigger", "severity", "risk")}
    return policy.Match(**words, failure_class=said.get("class") or "", arguments=arguments)


def _rule(row: Policy) -> policy.Rule:
    return policy.Rule(
        name=row.name,
        version=row.version,
        match=match_of(row.match),
        effect=effect_of(row.effect),
        live=row.mode == PolicyMode.ON,
        expires_at=row.expires_at,
    )


def effect_of(said: Mapping[str, Any]) -> policy.Effect:
    """Read a stored effect."""
    return policy.Effect(
        queue=said.get("queue") or "",
        deadline_s=said.get("deadline_s"),
        on_timeout=OnTimeout(said["on_timeout"]) if said.get("on_timeout") else None,
        quorum=said.get("quorum") or 1,
        four_eyes=bool(said.get("four_eyes")),
        require_claim=bool(said.get("require_claim")),
        chain=tuple(policy.chain_step(each) for each in said.get("chain") or ()),
        remind_before_s=tuple(said.get("remind_before_s") or ()),
        tools_may_become=tuple(said.get("tools_may_become") or ()),
        break_glass=tuple(said.get("break_glass") or ()),
        decide=_auto(said["decide"]) if said.get("decide") else None,
    )


def _auto(said: Mapping[str, Any]) -> policy.Auto:
    return policy.Auto(
        action=said["action"],
        tools=tuple(said.get("tools") or ()),
        message=said.get("message") or "",
        writes=bool(said.get("writes")),
        undo_s=int(said.get("undo_s") or 0),
    )


def _hit(case: Case) -> contract.BacktestHit:
    return contract.BacktestHit(
        id=case.pk,
        ref=str(case),
        title=case.title,
        decision=case.decision,
        execution=case.execution,
        decided_by=case.decided_by,
    )


def ruling(*, agent: str, package: Mapping[str, Any], at: datetime) -> policy.Ruling:
    """Say what the rules make of a case that is about to open."""
    return policy.rule_for(rules(), policy.Subject(agent=agent, package=package), at=at)
