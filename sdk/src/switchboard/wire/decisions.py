"""What people said, as the agent receives it. A decision is checked before anyone sees it."""

from collections.abc import Callable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, NoReturn, Self

from pydantic import Field, ValidationError

from switchboard._canonical import args_digest
from switchboard._errors import BadAnswer, DigestMismatch, Unsendable
from switchboard.wire.base import Received


class Kind(StrEnum):
    """What the console has to say about a case. Only the first is somebody's word."""

    DECISION = "decision"
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    SUPERSEDED = "superseded"


class Action(StrEnum):
    """What was decided."""

    APPROVE = "approve"
    EDIT = "edit"
    REJECT = "reject"
    RESPOND = "respond"


def resolve(value: Any, lookup: Callable[[str], Any]) -> Any:
    """Give the value with every `{"$ref": id}` replaced by `lookup(id)`.

    A secret never goes to the console: a step names it, and only the agent, when it runs the step, puts it in.
    """
    match value:
        case {"$ref": str(name)} if len(value) == 1:
            return lookup(name)
        case dict():
            return {name: resolve(inner, lookup) for name, inner in value.items()}
        case list() | tuple():
            return [resolve(inner, lookup) for inner in value]
        case _:
            return value


class By(Received):
    """Who decided: a person, a declared default, or a policy."""

    kind: str
    name: str = ""


class DecidedStep(Received):
    """One step of the final plan. It is to be made only where `run` is true."""

    id: str
    tool: str
    args: dict[str, Any] = Field(default_factory=dict)
    depends_on: tuple[str, ...] = ()
    run_if: dict[str, Any] | None = None
    idempotency_key: str | None = None
    run: bool = True
    edited: bool = False
    side_effect: str = "write"
    reversible: bool = False
    compensates: str | None = None
    reconciles: str | None = None


class Decision(Received):
    """One row of the console: what was decided about one revision of a case.

    It has no truth value of its own: ask `approved`, so that a refusal can never pass for a yes.
    """

    kind: Kind
    decision_id: str
    escalation_id: str
    revision: int
    seq: int = 0
    action: Action | None = None
    by: By | None = None
    proposal_id: str | None = None
    steps: tuple[DecidedStep, ...] = ()
    answer: Any = None
    message: str = ""
    args_digest: str | None = None
    decided_at: datetime | None = None

    @classmethod
    def read(cls, row: Mapping[str, Any]) -> Self:
        """Give the decision in this row of the console.

        Raises BadAnswer for what cannot be understood and DigestMismatch where the steps are not the ones the
        digest was taken over; neither may ever be treated as an answer.
        """
        try:
            decision = cls.model_validate(row)
        except ValidationError as exc:
            raise BadAnswer(f"The console's decision cannot be read: {exc.error_count()} fields.") from exc
        if decision.kind is Kind.DECISION:
            decision._check(row)  # noqa: SLF001  # a class may ask its own instance
        return decision

    def _check(self, row: Mapping[str, Any]) -> None:
        if self.action is None:
            raise BadAnswer(f"Decision {self.decision_id} says no action.")
        if self.args_digest is None and not self.steps and not self.approved:
            return  # a refusal or an answer runs nothing, so there is nothing to be swapped
        try:
            seen = args_digest(self.escalation_id, self.revision, row.get("steps") or ())
        except Unsendable as exc:
            raise DigestMismatch(f"The steps of decision {self.decision_id} cannot be digested.") from exc
        if seen != self.args_digest:
            raise DigestMismatch(
                f"The steps of decision {self.decision_id} have digest {seen}, "
                f"the decision was made about {self.args_digest}. Nothing may be run."
            )

    @property
    def approved(self) -> bool:
        """True only where somebody said yes, to the plan as it was or as they edited it."""
        return self.kind is Kind.DECISION and self.action in {Action.APPROVE, Action.EDIT}

    @property
    def answered(self) -> bool:
        """True where an answer was given: false, 0, "" and null are answers too."""
        return self.kind is Kind.DECISION and "answer" in self.model_fields_set

    @property
    def to_run(self) -> tuple[DecidedStep, ...]:
        """The steps to make, in order: none unless `approved`."""
        return tuple(step for step in self.steps if step.run) if self.approved else ()

    def __bool__(self) -> NoReturn:
        raise TypeError("A decision is neither true nor false: ask `decision.approved`.")
