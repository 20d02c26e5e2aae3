"""What lies on an operator's desk: the plans with the arguments as this person has them, and what would be sent.

A draft holds the form as typed, word for word, so that nothing typed is lost, not even what cannot be understood yet.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from console.kit import schema_form
from console.kit.difference import Change, changes
from console.kit.refusal import FieldError, Refused
from console.kit.schema_form import Field, Typed
from escalations.domain import plan
from escalations.domain.digest import args_digest, decision_uuid
from escalations.pages import answers, plan_words
from escalations.pages.faults import at_fields, said
from escalations.queries import CasePage, PlanStepView, ProposalView

MOST_EDITORS = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class StepDesk:
    """One step of a plan as this person has it."""

    step: PlanStepView
    prefix: str
    run: bool
    args: Any
    form: Field | None
    mode: str  # form | json
    raw: str | None  # the JSON as typed, where it was typed
    changes: tuple[Change, ...]
    faults: tuple[str, ...]  # those that stand at no field
    sound: bool = True

    @property
    def pretty(self) -> str:
        """Give the arguments as indented JSON."""
        return json.dumps(self.args, ensure_ascii=False, indent=2)

    @property
    def touched(self) -> bool:
        """Say whether this person changed anything about the step."""
        return bool(self.changes) or not self.run or not self.sound


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanDesk:
    """One plan as this person has it."""

    index: int
    proposal: ProposalView
    steps: tuple[StepDesk, ...]
    faults: tuple[str, ...]
    digest: str  # of the final steps as they would be sent; blank where they cannot be
    sentences: SafeString
    short: SafeString

    @property
    def edits(self) -> int:
        """Count what differs from the proposal: changed arguments and steps set aside."""
        return sum(len(each.changes) + (not each.run) for each in self.steps)

    @property
    def sound(self) -> bool:
        """Say whether it could be sent as it stands."""
        return not self.faults and all(each.sound for each in self.steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Everything this person could send about a case."""

    plans: tuple[PlanDesk, ...]
    chosen: PlanDesk | None
    answer: Field | None
    answered: bool
    answer_value: Any
    answer_sound: bool
    message: str
    reason: str
    typed: Typed = field(default_factory=dict)

    @property
    def answer_unfit(self) -> bool:
        """Say whether a fault is marked in the answer."""
        return self.answer is not None and any(one.error for one in self.answer.walk())

    @property
    def crowded(self) -> bool:
        """Say whether there are so many steps that only the chosen plan can be edited at a time."""
        return sum(len(plan.steps) for plan in self.plans) > MOST_EDITORS


def decision_key(page: CasePage, person_id: str) -> str:
    """Name the decision a person would make now. Sent twice it is one; after it was taken back it is another."""
    taken_back = sum(line.verb == "retracted" for line in page.history)
    return f"page:{person_id}:{page.row.revision}:{taken_back}"


def desk(page: CasePage, typed: Typed | None, *, person_id: str, checked: bool = False) -> Desk:
    """Lay out a case for one person; `checked` marks what does not fit of an answer that was tried."""
    given = typed or {}
    key = decision_key(page, person_id)
    decision_id = decision_uuid(page.row.id, page.row.revision, key)
    plans = tuple(_plan(page, n, proposal, typed, decision_id) for n, proposal in enumerate(page.proposals))
    answer, form = answers.laid(page.response_schema, typed, checked=checked)
    return Desk(
        plans=plans,
        chosen=_chosen(plans, _one(given, "plan")),
        answer=form,
        answered=answer.value is not schema_form.ABSENT,
        answer_value=None if answer.value is schema_form.ABSENT else answer.value,
        answer_sound=not answer.errors,
        message=_one(given, "message"),
        reason=_one(given, "reason"),
        typed=given,
    )


def _plan(
    page: CasePage, index: int, proposal: ProposalView, typed: Typed | None, decision_id: UUID
) -> PlanDesk:
    steps = tuple(_step(f"p{index}s{n}", step, typed) for n, step in enumerate(proposal.steps))
    final, faults = _rules(page, proposal, steps, decision_id)
    general = tuple(said(fault) for fault in faults if not (fault.field or "").startswith("steps."))
    steps = tuple(_with_faults(each, faults) for each in steps)
    tools = {each.id: each.tool for each in proposal.steps}
    planned = [
        plan_words.Planned(each.step, each.run, len(each.changes), tools.get(each.step.run_if_step, ""))
        for each in steps
    ]
    return PlanDesk(
        index=index,
        proposal=proposal,
        steps=steps,
        faults=general,
        digest=args_digest(page.row.id, page.row.revision, final.steps) if final else "",
        sentences=plan_words.sentences(planned),
        short=plan_words.short(planned),
    )


def _step(prefix: str, step: PlanStepView, typed: Typed | None) -> StepDesk:
    given = typed or {}
    schema = step.args_schema if step.args_schema and step.args_schema.get("properties") else None
    reading = schema_form.read(schema, step.args, prefix=prefix, typed=given)
    form = schema_form.build(schema, step.args, prefix=prefix, typed=typed) if schema else None
    mode = _one(given, prefix + schema_form.MODE) or ("form" if schema else "json")
    raw = given.get(prefix + schema_form.JSON_MODE)
    return StepDesk(
        step=step,
        prefix=prefix,
        run=_one(given, prefix + ".run", "true") == "true",
        args=reading.value,
        form=form and schema_form.marked(form, reading.errors),
        mode=mode,
        raw=raw[-1] if raw and mode == "json" else None,
        changes=changes(step.args, reading.value),
        faults=() if mode == "form" else tuple(reading.errors.values()),
        sound=not reading.errors,
    )


def _rules(
    page: CasePage, proposal: ProposalView, steps: Sequence[StepDesk], decision_id: UUID
) -> tuple[plan.Final | None, tuple[FieldError, ...]]:
    """Ask the rules of the house whether the plan could be sent like this: the same that judge the decision."""
    choices = {
        each.step.id: plan.Choice(run=each.run, args=each.args if each.changes else None)
        for each in steps
        if isinstance(each.args, Mapping)
    }
    unknown = _unknown(page)
    try:
        return plan.finalize(_domain(proposal), choices, decision_id=decision_id, unknown=unknown), ()
    except Refused as refusal:
        return None, refusal.errors


def _with_faults(one: StepDesk, faults: Sequence[FieldError]) -> StepDesk:
    """Put each fault at its field; what has no field stands above them."""
    mine = [fault for fault in faults if _belongs(fault, one.step.id)]
    if not isinstance(one.args, Mapping):
        mine.append(FieldError("TYPE", None, _("an object, in braces")))
    marks = at_fields(mine, _dotted(one), one.prefix)
    names = {each.name for each in one.form.walk()} if one.form and one.mode == "form" else set[str]()
    loose = [
        _loose(fault, one)
        for fault in mine
        if not names & at_fields([fault], _dotted(one), one.prefix).keys()
    ]
    return replace(
        one,
        form=one.form and schema_form.marked(one.form, marks),
        faults=(*one.faults, *loose),
        sound=one.sound and not mine,
    )


def _belongs(fault: FieldError, step_id: str) -> bool:
    where = fault.field or ""
    return where in {f"steps.{step_id}.run", f"steps.{step_id}.args"} or where.startswith(
        f"steps.{step_id}.args."
    )


def _dotted(one: StepDesk) -> str:
    return f"steps.{one.step.id}.args"


def _loose(fault: FieldError, one: StepDesk) -> str:
    path = (fault.field or "").removeprefix(_dotted(one)).removeprefix(".")
    return said(fault) if not path or path == fault.field else f"{path}: {said(fault)}"


def _domain(proposal: ProposalView) -> plan.Proposal:
    return plan.Proposal(
        id=proposal.id,
        kind=proposal.kind,
        title=proposal.title,
        steps=tuple(map(_domain_step, proposal.steps)),
    )


def _domain_step(step: PlanStepView) -> plan.Step:
    return plan.Step(
        id=step.id,
        tool=step.tool,
        args=step.args,
        args_schema=step.args_schema,
        side_effect=step.side_effect,
        reversible=step.reversible,
        compensates=step.compensates,
        reconciles=step.reconciles,
        depends_on=step.depends_on,
        run_if=(step.run_if_step, step.run_if_is) if step.run_if_step else None,
        idempotency_key=step.idempotency_key,
    )


def _unknown(page: CasePage) -> tuple[plan.UnknownEffect, ...]:
    failure = page.failure
    package: dict[str, Any] = {
        "steps": [{"call_id": s.call_id, "tool": s.tool, "status": s.status} for s in page.steps]
    }
    if failure:
        package["failure"] = {
            "class": failure.failure_class,
            "call_id": failure.call_id,
            "tool": failure.tool,
            "idempotency_key": failure.idempotency_key,
        }
    return plan.unknown_effects(package)


def _chosen(plans: Sequence[PlanDesk], index: str) -> PlanDesk | None:
    """Give the plan the person chose, else the recommended one, else the first."""
    for one in plans:
        if str(one.index) == index:
            return one
    return next((one for one in plans if one.proposal.recommended), plans[0] if plans else None)


def _one(typed: Typed, name: str, otherwise: str = "") -> str:
    values = typed.get(name)
    return values[-1] if values else otherwise
