"""Two or more have to say the same: when their votes agree, when they dispute, and what one vote is compared by."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from console.kit.canonical import digest
from console.kit.refusal import Refused
from escalations.domain.word import Worded
from escalations.vocabulary import Action


class AlreadyVoted(Refused):
    """This person has voted on this revision; somebody else has to."""

    code = "ALREADY_VOTED"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How the votes stand: the digest that enough of them share, blank while there is none."""

    agreed: str
    disputed: bool


def vote_digest(action: Action, word: Worded) -> str:
    """Give what two votes must have in common to agree: the same calls with the same arguments, or the same answer.

    Words and keys do not count: two people never write the same reason, and a key is derived from the decision.
    """
    steps = [
        [step["id"], step["run"], [step["tool"], step["args"]] if step["run"] else None]
        for step in word.steps
    ]
    answer: list[Any] = [word.answer] if word.answered else []
    return digest([action.value, word.proposal_id, steps, answer])


def standing(digests: Sequence[str], *, quorum: int) -> Standing:
    """Give how the votes stand; they dispute once enough have voted and not enough agree."""
    counts = Counter(digests)
    agreed = next((each for each, count in counts.most_common() if count >= quorum), "")
    return Standing(agreed=agreed, disputed=not agreed and len(counts) > 1 and len(digests) >= quorum)
