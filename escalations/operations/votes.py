"""Where several have to agree: keeping one vote, within the transaction of the decision it may become."""

from dataclasses import dataclass, replace
from datetime import datetime

from console.kit.actor import Actor
from console.kit.canonical import digest
from console.kit.clean import clean_text
from escalations import contract
from escalations.domain import lifecycle
from escalations.domain.votes import AlreadyVoted, standing, vote_digest
from escalations.domain.word import Worded
from escalations.models import Case, Vote
from escalations.operations.opening import IdempotencyConflict
from escalations.operations.rows import move
from escalations.operations.telling import tell_of_vote
from escalations.vocabulary import Decision as Decided
from escalations.vocabulary import Source


@dataclass(frozen=True, slots=True)
class Cast:
    """A vote that was cast: who agreed, where enough do, or what is still missing."""

    agreed: str  # the names of those who agreed, blank while not enough do
    kept: contract.VoteKept


def quorum_of(row: Case) -> int:
    """Give how many have to say the same."""
    return int(row.policy.get("quorum") or 1)


def voted_before(row: Case, key: str, asked: str, by: Actor) -> contract.VoteKept | None:
    """Give the answer to a vote that comes a second time under its key; `asked` is the digest of the request."""
    mine = Vote.objects.filter(case=row, revision=row.revision, person_id=by.id, vote_key=key).first()
    if mine is None:
        return None
    if digest(mine.said) != asked:
        raise IdempotencyConflict("This decision key was used for another vote.")
    return _kept(row)


def cast(
    row: Case,
    state: lifecycle.State,
    said: contract.Decide,
    word: Worded,
    *,
    by: Actor,
    at: datetime,
    source: Source,
) -> Cast:
    """Keep a vote. Where it settles nothing the case says so; where it does, the caller decides."""
    votes = Vote.objects.filter(case=row, revision=row.revision)
    if votes.filter(person_id=by.id).exists():
        raise AlreadyVoted("You have voted on this revision; somebody else has to.")
    mine = vote_digest(said.action, word)
    Vote.objects.create(
        case=row,
        revision=row.revision,
        person_id=by.id,
        person_name=clean_text(by.name, limit=160),
        action=said.action,
        digest=mine,
        vote_key=said.decision_key,
        said=said.model_dump(mode="json", by_alias=True, exclude_unset=True),
        at=at,
    )
    stands = standing(list(votes.values_list("digest", flat=True)), quorum=quorum_of(row))
    if stands.agreed:
        names = votes.filter(digest=stands.agreed).order_by("at", "id").values_list("person_name", flat=True)
        return Cast(", ".join(names), _kept(row))
    newly = stands.disputed and state.decision is Decided.OPEN
    after = replace(state, decision=Decided.DISPUTED) if newly else state
    # Nobody is told how somebody voted before it is settled: not even by the audit's detail.
    detail: dict[str, object] = {"votes": votes.count(), "quorum": quorum_of(row)}
    move(row, after, verb="disputed" if newly else "voted", by=by, at=at, source=source, detail=detail)
    tell_of_vote(row, by=by, at=at)
    return Cast("", _kept(row))


def _kept(row: Case) -> contract.VoteKept:
    votes = list(Vote.objects.filter(case=row, revision=row.revision).values_list("digest", flat=True))
    stands = standing(votes, quorum=quorum_of(row))
    return contract.VoteKept(votes=len(votes), quorum=quorum_of(row), disputed=stands.disputed)
