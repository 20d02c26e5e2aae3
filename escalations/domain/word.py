"""What somebody says about a case, turned into what is stored: one function for people, defaults and policies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from console.kit.clean import visible
from console.kit.refusal import FieldError, Kind, Refused
from escalations.domain import carry, plan, schema
from escalations.vocabulary import Action


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """What is said: `choices` is step → (run, args or None as proposed), `tools` step → another tool.

    `answered` tells null from nothing.
    """

    action: Action
    proposal_id: str | None = None
    choices: Mapping[str, tuple[bool, Mapping[str, Any] | None]] = field(default_factory=dict)
    tools: Mapping[str, str] = field(default_factory=dict)
    answered: bool = False
    answer: object = None
    message: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Worded:
    """What is stored and sent: final steps, or an answer, or neither; always with the words for the model."""

    proposal_id: str = ""
    steps: tuple[dict[str, Any], ...] = ()
    edits: int = 0
    answered: bool = False
    answer: object = None
    message: str = ""
    reason: str = ""


class ChangesNeedEdit(Refused):
    """An approval that changes the plan is an edit and has to say so."""

    kind, code = Kind.INVALID, "CHANGES_NEED_EDIT"


class NothingChanged(Refused):
    """An edit that changes nothing is an approval and has to say so."""

    kind, code = Kind.INVALID, "NOTHING_CHANGED"


class ReasonNeeded(Refused):
    """A refusal without a reason makes agents ask again."""

    kind, code = Kind.INVALID, "REASON_NEEDED"


class BadAnswer(Refused):
    """The answer is missing, or does not fit the question's schema."""

    kind, code = Kind.INVALID, "BAD_ANSWER"


def worded(
    package: Mapping[str, Any], word: Word, *, decision_id: UUID, may_become: Sequence[str] = ()
) -> Worded:
    """Turn a word into what is stored, or refuse with what is missing or wrong."""
    match word.action:
        case Action.APPROVE | Action.EDIT:
            return _plan(package, word, decision_id, may_become)
        case Action.REJECT:
            return _refusal(word)
        case Action.RESPOND:
            return _answer(package, word)


def _plan(package: Mapping[str, Any], word: Word, decision_id: UUID, may_become: Sequence[str]) -> Worded:
    proposals = plan.proposals_of(package)
    proposal = plan.pick(proposals, word.proposal_id)
    choices = {
        name: plan.Choice(run=run, args=args, tool=word.tools.get(name))
        for name, (run, args) in word.choices.items()
    }
    final = plan.finalize(
        proposal,
        choices,
        decision_id=decision_id,
        unknown=plan.unknown_effects(package),
        known=proposals,
        may_become=may_become,
    )
    if word.action is Action.APPROVE and final.edits:
        raise ChangesNeedEdit(f"{final.edits} steps differ from the proposal: send this as an edit.")
    if word.action is Action.EDIT and not final.edits:
        raise NothingChanged("Nothing differs from the proposal: approve it instead.")
    return Worded(
        proposal_id=proposal.id,
        steps=final.steps,
        edits=final.edits,
        message=word.message,
        reason=word.reason,
    )


def _refusal(word: Word) -> Worded:
    message = visible(word.message) or visible(word.reason)
    if not message:
        wrong = FieldError(
            "MISSING", "message", "a reason, in words", None, "Say why, so that it is not asked again."
        )
        raise ReasonNeeded("A reason is required: without one, agents ask again.", errors=(wrong,))
    return Worded(message=message, reason=word.reason)


def _answer(package: Mapping[str, Any], word: Word) -> Worded:
    question = package.get("question")
    if question is None and not word.answered and not visible(word.message):
        wrong = FieldError("MISSING", "message", "an answer or words", None, "Say something.")
        raise BadAnswer("There is no answer in this.", errors=(wrong,))
    if question is not None and not word.answered:
        wrong = FieldError(
            "MISSING", "answer", "a value that fits the question's schema", None, "Send `answer`."
        )
        raise BadAnswer("The agent asked a question; answer it.", errors=(wrong,))
    if word.answered:
        wrongs = carry.faults(word.answer, prefix="answer")
        if not wrongs and question is not None:
            wrongs = schema.errors_of(question["response_schema"], word.answer, prefix="answer")
        if wrongs:
            raise BadAnswer("The answer does not fit the question.", errors=wrongs)
    return Worded(answered=word.answered, answer=word.answer, message=word.message, reason=word.reason)
