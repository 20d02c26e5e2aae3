"""From a proposal and a person's choices to the final steps: what runs is exactly what was approved."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any
from uuid import UUID

from console.kit.canonical import canonical
from console.kit.refusal import FieldError, Kind, Refused
from escalations.domain import carry, schema
from escalations.domain.digest import edited_key
from escalations.domain.plan.steps import READ, Proposal, Step, UnknownEffect, ancestors, resends_unknown
from telemetry.vocabulary import SideEffect


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What a person says about one step; `args` and `tool` None leave them as proposed."""

    run: bool = True
    args: Mapping[str, Any] | None = None
    tool: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """One step as it was proposed and as it is after the choice."""

    proposed: Step
    step: Step
    run: bool
    edited: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Final:
    """The plan as decided: the steps as they are digested, stored and sent, and how many were changed."""

    steps: tuple[dict[str, Any], ...]
    edits: int


class BadEdit(Refused):
    """A choice cannot be carried out; every fault is named by step and field."""

    kind, code = Kind.INVALID, "BAD_EDIT"


def finalize(
    proposal: Proposal,
    choices: Mapping[str, Choice],
    *,
    decision_id: UUID,
    unknown: Sequence[UnknownEffect] = (),
    known: Sequence[Proposal] = (),
    may_become: Sequence[str] = (),
) -> Final:
    """Give the final steps, in order, or refuse with every fault of the choices.

    `may_become` are the tools that the case's policy lets a step's tool be exchanged for, and `known` the plans whose
    steps say what those do.
    """
    faults = [*_strangers(proposal, choices)]
    chosen = [_chosen(step, choices.get(step.id, Choice()), known or (proposal,)) for step in proposal.steps]
    for each in chosen:
        faults += _faults_of(each, may_become)
    steps = [_final(each, decision_id) for each in chosen]
    decided = replace(proposal, steps=tuple(each.step for each in chosen))
    faults += _cut_off(decided, steps)
    faults += _unreconciled(decided, steps, unknown)
    if steps and not any(step["run"] for step in steps):
        faults.append(FieldError("NOTHING_RUNS", "steps", "at least one step runs", None, "Reject instead."))
    if faults:
        raise BadEdit("The plan cannot be decided like this.", errors=tuple(faults))
    return Final(steps=tuple(steps), edits=sum(each.edited or not each.run for each in chosen))


def canonicalised(value: object) -> bytes | None:
    """Give the canonical bytes, or None for what has none; two values without any are not the same."""
    try:
        return canonical(value)
    except Refused:
        return None


def edit_faults(step: Step, args: Mapping[str, Any]) -> tuple[FieldError, ...]:
    """Say what is wrong with edited arguments: not JSON that both sides read alike, against the schema, or hidden."""
    prefix = f"steps.{step.id}.args"
    found = carry.faults(args, prefix=prefix)
    if found:
        return found
    if schema.ref_map(args) != schema.ref_map(step.args):
        hint = "Leave redacted values where they are; only the agent knows what stands there."
        return (FieldError("REDACTED_IS_FIXED", prefix, "redacted values stay as they are", None, hint),)
    return schema.errors_of(step.args_schema, args, prefix=prefix) if step.args_schema is not None else ()


def _strangers(proposal: Proposal, choices: Mapping[str, Choice]) -> Iterator[FieldError]:
    known = {step.id for step in proposal.steps}
    for step_id in choices:
        if step_id not in known:
            constraint = f"one of: {', '.join(sorted(known))}"
            yield FieldError("NO_SUCH_STEP", "steps", constraint, step_id, "Name a step of the chosen plan.")


def _cut_off(proposal: Proposal, steps: Sequence[Mapping[str, Any]]) -> Iterator[FieldError]:
    """A step whose predecessor is skipped could never run: that has to be said, not found out later."""
    skipped = {step["id"] for step in steps if not step["run"]}
    for planned, step in zip(proposal.steps, steps, strict=True):
        for needed in dict.fromkeys(planned.needs):
            if step["run"] and needed in skipped:
                hint = f"Skip {planned.id} as well, or run {needed}."
                field = f"steps.{planned.id}.run"
                yield FieldError("NEEDS_SKIPPED_STEP", field, f"needs {needed}, which is skipped", None, hint)


def _unreconciled(
    proposal: Proposal, steps: Sequence[Mapping[str, Any]], unknown: Sequence[UnknownEffect]
) -> Iterator[FieldError]:
    """What may have happened is looked up first: only a read that reconciles lets the effect be sent again."""
    by_id = {step.id: step for step in proposal.steps}
    running = {step["id"] for step in steps if step["run"]}
    for step in proposal.steps:
        if step.id not in running or not resends_unknown(step, unknown):
            continue
        looked_up = any(
            by_id[each].reconciles and by_id[each].side_effect == READ and each in running
            for each in ancestors(step.id, by_id)
            if each in by_id
        )
        if not (looked_up and step.run_if):
            hint = "Run it only if a reading step that reconciles the first request finds nothing."
            field = f"steps.{step.id}.run"
            yield FieldError("UNRECONCILED", field, "the effect may have happened already", step.tool, hint)


def _chosen(step: Step, choice: Choice, known: Sequence[Proposal]) -> Chosen:
    became = choice.run and choice.tool is not None and choice.tool != step.tool
    now = _become(step, choice.tool, known) if became and choice.tool is not None else step
    changed = choice.args is not None and canonicalised(choice.args) != canonicalised(step.args)
    if choice.run and changed and choice.args is not None:
        now = replace(now, args=choice.args)
    return Chosen(proposed=step, step=now, run=choice.run, edited=now is not step)


def _become(step: Step, tool: str, known: Sequence[Proposal]) -> Step:
    """Give the step as a call of another tool: what is not known about that one is assumed to be the worst."""
    same = next((each for plan in known for each in plan.steps if each.tool == tool), None)
    return replace(
        step,
        tool=tool,
        args_schema=same.args_schema if same else None,
        side_effect=same.side_effect if same else SideEffect.WRITE.value,
        reversible=same.reversible if same else False,
        reconciles="",
    )


def _faults_of(chosen: Chosen, may_become: Sequence[str]) -> tuple[FieldError, ...]:
    """Say what is wrong with one changed step; the new tool's own schema counts, not the old one's."""
    if not chosen.edited:
        return ()
    step, proposed = chosen.step, chosen.proposed
    if step.tool != proposed.tool and not any(fnmatchcase(step.tool, each) for each in may_become):
        allowed = ", ".join((proposed.tool, *may_become))
        hint = "Reject with a reason, or answer in words: the agent can propose another call."
        return (FieldError("TOOL_IS_FIXED", f"steps.{step.id}.tool", f"one of: {allowed}", step.tool, hint),)
    return edit_faults(replace(proposed, args_schema=step.args_schema), step.args)


def _final(chosen: Chosen, decision_id: UUID) -> dict[str, Any]:
    step = chosen.step
    return {
        "id": step.id,
        "tool": step.tool,
        "args": dict(step.args),
        "depends_on": list(step.depends_on),
        "run_if": {"step": step.run_if[0], "is": step.run_if[1]} if step.run_if else None,
        "idempotency_key": edited_key(decision_id, step.id) if chosen.edited else step.idempotency_key,
        "run": chosen.run,
        "edited": chosen.edited,
        "side_effect": step.side_effect,
        "reversible": step.reversible,
        "compensates": step.compensates or None,
        "reconciles": step.reconciles or None,
    }
