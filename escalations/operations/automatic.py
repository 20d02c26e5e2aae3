"""Decisions by policy: an actor of its own, never a person's word, and never against a pause or a live claim."""

import uuid
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q

from console.audit.operations import record
from console.kit.actor import Actor, ActorKind
from console.kit.refusal import Refused
from escalations import announce
from escalations.domain import lifecycle, policy
from escalations.domain.lifecycle import UNDECIDED
from escalations.domain.policy import Auto
from escalations.domain.word import Word
from escalations.models import Case, Decision
from escalations.operations.rows import MovedUnderneath, current_revision, move, report_within
from escalations.operations.written import decision_by_rule
from escalations.queries.pauses import held_back
from escalations.queries.plans import as_known
from escalations.queries.policies import rules_still
from escalations.queries.states import state_of
from escalations.vocabulary import DeciderKind, Source

LOOK_AGAIN = timedelta(seconds=30)


@transaction.atomic(durable=True)
def decide_by_policy_one(*, at: datetime) -> bool:
    """Let the policy decide that is due for longest; say whether there was one.

    A policy that was switched off, has expired or was changed since the case opened decides nothing: people do.
    """
    free = Q(lease_until__isnull=True) | Q(lease_until__lte=at)
    due = Case.objects.filter(free, auto_at__lte=at, decision__in=UNDECIDED).order_by("auto_at", "id")
    row = due.select_for_update(skip_locked=True).first()
    if row is None:
        return False
    if held_back(row, at=at):
        Case.objects.filter(pk=row.pk).update(auto_at=at + LOOK_AGAIN)
        return True
    packed = current_revision(row).package
    found = policy.kept_auto(row.policy)
    reason = _why_not(row, packed, at=at)
    if found is None or reason:
        _pass_on(row, reason, at=at)
        return True
    auto, _ = found
    try:
        with transaction.atomic():
            _decide(row, packed, auto, at=at)
    except MovedUnderneath:
        raise
    except Refused as refusal:  # the plan cannot run as it stands: that is for people to look at
        row.refresh_from_db()
        _pass_on(row, refusal.detail, at=at)
    return True


def _why_not(row: Case, packed: dict[str, Any], *, at: datetime) -> str:
    found = policy.kept_auto(row.policy)
    if found is None:
        return "The policy decides nothing by itself."
    if int(row.policy.get("quorum") or 1) > 1:
        return "Several have to agree."
    if not _rules_still(row, at=at):
        return "The policy was switched off, changed, or has expired."
    return policy.why_not_auto(*found, as_known(packed))


def _pass_on(row: Case, reason: str, *, at: datetime) -> None:
    """Leave a case to people, and say why in the audit."""
    Case.objects.filter(pk=row.pk).update(auto_at=None)
    name = row.policy.get("name") or ""
    detail: dict[str, object] = {"reason": reason, "revision": row.revision}
    record(
        subject=f"case:{row.number}",
        verb="policy_passed",
        actor=_actor(name),
        at=at,
        source=Source.SWEEP,
        detail=detail,
    )
    announce.case_changed(case_id=row.pk, version=row.version)


def _decide(row: Case, packed: dict[str, Any], auto: Auto, *, at: datetime) -> None:
    name = row.policy["name"]
    word = policy.auto_word(auto, packed, name=name)
    state = replace(state_of(row, packed=packed), require_claim=False)  # a claim is for people
    who = f"policy:{name}"
    after = lifecycle.decide(state, who=who, at=at, base_revision=row.revision, action=word.action)
    made = decision_by_rule(
        row,
        packed,
        after,
        word,
        kind=DeciderKind.POLICY,
        name=name,
        at=at,
        deliver_after=at + timedelta(seconds=auto.undo_s),
        decision_id=uuid.uuid4(),
    )
    _close(row, after, made, word, at=at)
    # Whoever held it back or changed the rule holds the end of the audit by now, or comes after us.
    if held_back(row, at=at) or not _rules_still(row, at=at):
        raise MovedUnderneath("It was held back or changed at this very moment.")


def _rules_still(row: Case, *, at: datetime) -> bool:
    return rules_still(name=row.policy["name"], version=row.policy["version"], at=at)


def _close(row: Case, after: lifecycle.State, made: Decision, word: Word, *, at: datetime) -> None:
    runs = after.decision in lifecycle.RUNS
    columns: dict[str, Any] = {
        "decided_at": at,
        "decided_by": made.by_name,
        "report_due_at": made.deliver_after + report_within() if runs else None,
    }
    detail: dict[str, object] = {
        "decision_id": str(made.pk),
        "action": word.action.value,
        "proposal_id": made.proposal_id,
        "policy": made.by_name,
        "version": row.policy["version"],
        "args_digest": made.args_digest,
    }
    verb = f"policy_{after.decision}"
    move(row, after, verb=verb, by=_actor(made.by_name), at=at, source=Source.SWEEP, detail=detail, **columns)


def _actor(name: str) -> Actor:
    return Actor(ActorKind.POLICY, name[:64], name)
