"""What the policies make of a case: the copy it keeps, its deadline, and the columns its timers stand in."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.conf import settings

from escalations.domain import chain, policy
from escalations.models import Case
from escalations.queries.policies import ruling

REMINDER_S = 900  # where no policy says when: a quarter of an hour before the deadline


def opened_under(packed: Mapping[str, Any], asked: datetime, *, agent: str, at: datetime) -> dict[str, Any]:
    """Give what the policy in force makes of a new case; the case keeps a copy of it."""
    kept = _copied(packed, agent=agent, at=at)
    expires_at = policy.deadline(kept["deadline_s"], asked, at=at)
    return {
        "policy": kept,
        "queue": kept["queue"],
        "expires_at": expires_at,
        **timers(kept, expires_at=expires_at, at=at),
    }


def revised_under(row: Case, packed: Mapping[str, Any], asked: datetime, *, at: datetime) -> dict[str, Any]:
    """Give what becomes of a case's copy with its next revision: its deadline runs anew, and nothing gets easier."""
    kept = policy.revised(row.policy, _copied(packed, agent=row.agent_name, at=at))
    expires_at = policy.deadline(kept.get("deadline_s"), asked, at=at)
    return {
        "policy": kept,
        "queue": kept.get("queue", row.queue),
        "expires_at": expires_at,
        **timers(kept, expires_at=expires_at, at=at),
    }


def timers(kept: Mapping[str, Any], *, expires_at: datetime, at: datetime) -> dict[str, Any]:
    """Give the columns of everything that will be due while nobody decides; the chain begins at its beginning."""
    due = chain.next_due(policy.kept_chain(kept), chain.Place())
    return {
        "chain_at": at + due.after if due else None,
        "chain_step": due.place.step if due else 0,
        "chain_round": due.place.round if due else 0,
        "remind_at": next_reminder(kept, expires_at=expires_at, after=at),
        "auto_at": at if kept.get("decide") else None,
    }


def resumed(row: Case, *, at: datetime) -> dict[str, Any]:
    """Give the timers of a case that is open again: its chain goes on where it stood, its policy has had its say."""
    due = chain.next_due(policy.kept_chain(row.policy), chain.Place(row.chain_step, row.chain_round))
    return {
        "chain_at": at + due.after if due else None,
        "remind_at": next_reminder(row.policy, expires_at=row.expires_at, after=at),
        "auto_at": None,
    }


def quiet_until(lease_until: datetime | None, snoozed_until: datetime | None) -> datetime | None:
    """Give until when a chain leaves a case alone: somebody has it, or it rests."""
    return max((when for when in (lease_until, snoozed_until) if when is not None), default=None)


def chain_after(
    row: Case, lease_until: datetime | None, snoozed_until: datetime | None, *, at: datetime
) -> dict[str, Any]:
    """Give the chain's column where it was put off until the end of a claim or a rest, and that end moves."""
    if row.chain_at is None or row.chain_at != quiet_until(row.lease_until, row.snoozed_until):
        return {}
    return {"chain_at": max(quiet_until(lease_until, snoozed_until) or at, at)}


def next_reminder(kept: Mapping[str, Any], *, expires_at: datetime, after: datetime) -> datetime | None:
    """Give when a case is due to be reminded of next."""
    before = tuple(kept.get("remind_before_s") or (REMINDER_S,))
    return chain.next_reminder(before, expires_at=expires_at, after=after)


def _copied(packed: Mapping[str, Any], *, agent: str, at: datetime) -> dict[str, Any]:
    found = ruling(agent=agent, package=packed, at=at)
    return policy.copied(found, four_eyes=settings.FOUR_EYES, require_claim=settings.REQUIRE_CLAIM)
