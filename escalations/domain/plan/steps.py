"""Plans as they stand in a package: proposals, their steps, and what may have happened already."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from console.kit.refusal import FieldError, Kind, Refused
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


class NoSuchProposal(Refused):
    """The decision names no plan of this revision."""

    kind, code = Kind.INVALID, "NO_SUCH_PROPOSAL"


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


def planned_tools(package: Mapping[str, Any]) -> frozenset[str]:
    """Give the tools of every step that a plan calls a read."""
    steps = (step for proposal in proposals_of(package) for step in proposal.steps)
    return frozenset(step.tool for step in steps if step.side_effect == READ)


def stricter(package: Mapping[str, Any], writing: Collection[str]) -> dict[str, Any]:
    """Give the package with every step of such a tool as a write: a plan's own word makes nothing harmless."""
    proposals = [
        {**proposal, "steps": [_stricter(step, writing) for step in proposal.get("steps") or ()]}
        for proposal in package.get("proposals") or ()
    ]
    return {**package, "proposals": proposals}


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


def _stricter(raw: Mapping[str, Any], writing: Collection[str]) -> Mapping[str, Any]:
    if raw["tool"] in writing and raw.get("side_effect") == READ:
        return {**raw, "side_effect": SideEffect.WRITE.value}
    return raw


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
