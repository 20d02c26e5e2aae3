"""From a proposal and a person's choices to the final steps: what runs is exactly what was approved."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from console.kit.canonical import canonical
from console.kit.refusal import FieldError, Kind, Refused
from escalations.domain import carry, schema
from escalations.domain.digest import edited_key
from telemetry.vocabulary import FailureClass, SideEffect

READ = SideEffect.READ.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One planned call."""

    id: str
    tool: str
    args: Mapping[str, Any]
    args_schema: Mapping[str, Any] | None = None
    side_effect: str = SideEffect.WRITE.value
    reversible: bool = False
    compensates: str = ""
    reconciles: str = ""
    note: str = ""
    depends_on: tuple[str, ...] = ()
    run_if: tuple[str, str] | None = None  # (step, how it must have ended)
    idempotency_key: str = ""

    @property
    def needs(self) -> tuple[str, ...]:
        """Give the steps that must have run before this one."""
        return (*self.depends_on, *((self.run_if[0],) if self.run_if else ()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One plan of the agent's."""

    id: str
    kind: str
    title: str
    rationale: str = ""
    risk: str = ""
    recommended: bool = False
    steps: tuple[Step, ...] = ()

    @property
    def reads_only(self) -> bool:
        """Say whether nothing in it can change the world."""
        return all(step.side_effect == READ for step in self.steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownEffect:
    """Something that was sent and of which nobody knows whether it happened; the key is blank where not told."""

    call_id: str
    tool: str
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What a person says about one step; `args` None leaves them as proposed."""

    run: bool = True
    args: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Final:
    """The plan as decided: the steps as they are digested, stored and sent, and how many were changed."""

    steps: tuple[dict[str, Any], ...]
    edits: int


class NoSuchProposal(Refused):
    """The decision names no plan of this revision."""

    kind, code = Kind.INVALID, "NO_SUCH_PROPOSAL"


class BadEdit(Refused):
    """A choice cannot be carried out; every fault is named by step and field."""

    kind, code = Kind.INVALID, "BAD_EDIT"


def proposals_of(package: Mapping[str, Any]) -> tuple[Proposal, ...]:
    """Read the plans out of a stored package."""
    return tuple(_proposal(each) for each in package.get("proposals") or ())


def pick(proposals: Sequence[Proposal], proposal_id: str | None) -> Proposal:
    """Give the plan that is meant; without a name only a single one can be."""
    if proposal_id is None and len(proposals) == 1:
        return proposals[0]
    for proposal in proposals:
        if proposal.id == proposal_id:
            return proposal
    known = ", ".join(proposal.id for proposal in proposals) or "none"
    wrong = FieldError(
        "NO_SUCH_PROPOSAL", "proposal_id", f"one of: {known}", proposal_id, "Name one of the plans."
    )
    raise NoSuchProposal("The decision names no plan of this revision.", errors=(wrong,))


def unknown_effects(package: Mapping[str, Any]) -> tuple[UnknownEffect, ...]:
    """Give what may have happened: the failure itself, and earlier steps that say so."""
    failure = package.get("failure") or {}
    found = []
    if failure.get("class") == FailureClass.UNKNOWN_OUTCOME:
        key = failure.get("idempotency_key") or ""
        found.append(UnknownEffect(call_id=failure["call_id"], tool=failure["tool"], key=key))
    for step in package.get("steps") or ():
        doubtful = step.get("status") in {"unknown", FailureClass.UNKNOWN_OUTCOME.value}
        if doubtful and step["call_id"] not in {effect.call_id for effect in found}:
            found.append(UnknownEffect(call_id=step["call_id"], tool=step["tool"], key=""))
    return tuple(found)


def resends_unknown(step: Step, unknown: Sequence[UnknownEffect]) -> bool:
    """Say whether the step would do, or undo, something that may have happened already."""
    if step.side_effect == READ:
        return False
    return any(
        step.compensates == effect.call_id
        or (step.idempotency_key == effect.key if effect.key else step.tool == effect.tool)
        for effect in unknown
    )


def finalize(
    proposal: Proposal,
    choices: Mapping[str, Choice],
    *,
    decision_id: UUID,
    unknown: Sequence[UnknownEffect] = (),
) -> Final:
    """Give the final steps, in order, or refuse with every fault of the choices."""
    faults = [*_strangers(proposal, choices)]
    steps: list[dict[str, Any]] = []
    edits = 0
    for step in proposal.steps:
        choice = choices.get(step.id, Choice())
        edited = (
            choice.run and choice.args is not None and canonicalised(choice.args) != canonicalised(step.args)
        )
        if edited and choice.args is not None:
            faults += edit_faults(step, choice.args)
        edits += edited or not choice.run
        args = choice.args if edited and choice.args is not None else step.args
        key = edited_key(decision_id, step.id) if edited else step.idempotency_key
        steps.append(_final(step, args=args, key=key, run=choice.run, edited=edited))
    faults += _cut_off(proposal, steps)
    faults += _unreconciled(proposal, steps, unknown)
    if steps and not any(step["run"] for step in steps):
        faults.append(FieldError("NOTHING_RUNS", "steps", "at least one step runs", None, "Reject instead."))
    if faults:
        raise BadEdit("The plan cannot be decided like this.", errors=tuple(faults))
    return Final(steps=tuple(steps), edits=edits)


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


def ancestors(step_id: str, by_id: Mapping[str, Step]) -> set[str]:
    """Give every step that must have run before this one, near or far."""
    seen: set[str] = set()
    ahead = [step_id]
    while ahead:
        step = by_id.get(ahead.pop())
        for needed in step.needs if step else ():
            if needed not in seen:
                seen.add(needed)
                ahead.append(needed)
    return seen


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


def _final(step: Step, *, args: Mapping[str, Any], key: str, run: bool, edited: bool) -> dict[str, Any]:
    return {
        "id": step.id,
        "tool": step.tool,
        "args": dict(args),
        "depends_on": list(step.depends_on),
        "run_if": {"step": step.run_if[0], "is": step.run_if[1]} if step.run_if else None,
        "idempotency_key": key,
        "run": run,
        "edited": edited,
        "side_effect": step.side_effect,
        "reversible": step.reversible,
        "compensates": step.compensates or None,
        "reconciles": step.reconciles or None,
    }


def _proposal(raw: Mapping[str, Any]) -> Proposal:
    return Proposal(
        id=raw["id"],
        kind=raw.get("kind") or "",
        title=raw.get("title") or "",
        rationale=raw.get("rationale") or "",
        risk=raw.get("risk") or "",
        recommended=bool(raw.get("recommended")),
        steps=tuple(_step(each) for each in raw.get("steps") or ()),
    )


def _step(raw: Mapping[str, Any]) -> Step:
    run_if = raw.get("run_if")
    return Step(
        id=raw["id"],
        tool=raw["tool"],
        args=raw.get("args") or {},
        args_schema=raw.get("args_schema"),
        side_effect=raw.get("side_effect") or SideEffect.WRITE.value,
        reversible=bool(raw.get("reversible")),
        compensates=raw.get("compensates") or "",
        reconciles=raw.get("reconciles") or "",
        note=raw.get("note") or "",
        depends_on=tuple(raw.get("depends_on") or ()),
        run_if=(run_if["step"], run_if["is"]) if run_if else None,
        idempotency_key=raw.get("idempotency_key") or "",
    )
