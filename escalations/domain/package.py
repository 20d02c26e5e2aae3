"""A package as it comes in: what is wrong with it, and what of it is kept."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from console.kit.canonical import digest
from console.kit.clean import SAFE_INTEGER, clean
from console.kit.refusal import FieldError, Kind, Refused
from escalations.domain import carry, plan, schema
from escalations.vocabulary import Action, OnTimeout

NOT_CONTENT = frozenset({"expires_at", "base_revision"})  # a repeated request may compute its deadline again


class BadPackage(Refused):
    """The package contradicts itself; every fault is named."""

    kind, code = Kind.INVALID, "BAD_PACKAGE"


@dataclass(frozen=True, slots=True)
class Kept:
    """A package made safe to store and show, and what was changed on the way."""

    package: dict[str, Any]
    flags: tuple[str, ...]


def check(package: Mapping[str, Any]) -> None:
    """Refuse a package that could not be decided or carried out as it says."""
    found = tuple(faults(package))
    if found:
        raise BadPackage("The package contradicts itself.", errors=found[:50])


def faults(package: Mapping[str, Any]) -> Iterator[FieldError]:
    """Say everything that is wrong with a package, beyond the shape that the contract checks."""
    proposals = plan.proposals_of(package)
    yield from _doubles([each.id for each in proposals], "proposals")
    for index, proposal in enumerate(proposals):
        yield from _plan_faults(proposal, f"proposals.{index}")
    if (question := package.get("question")) is not None:
        yield from _schema_fault(question["response_schema"], "question.response_schema")
    yield from _default_faults(package.get("on_timeout"), proposals)
    if not offered(package):
        yield FieldError(
            "NOTHING_TO_DECIDE", "allowed", "something that can be decided", package.get("allowed")
        )


def offered(package: Mapping[str, Any]) -> frozenset[Action]:
    """Give what can be decided: without a plan there is nothing to approve or edit."""
    allowed = frozenset(Action(word) for word in package.get("allowed") or ())
    return allowed if package.get("proposals") else allowed - {Action.APPROVE, Action.EDIT}


def kept(package: Mapping[str, Any]) -> Kept:
    """Make everything that is only shown safe; arguments stay as they are, they were checked."""
    rest = {name: value for name, value in package.items() if name not in {"proposals", "question"}}
    cleaned = clean(rest)
    stored: dict[str, Any] = dict(cleaned.value) if isinstance(cleaned.value, dict) else {}
    flags = set(cleaned.flags)
    stored["proposals"] = [_kept_plan(each, flags) for each in package.get("proposals") or ()]
    question = package.get("question")
    stored["question"] = question and {"response_schema": _lighter(question["response_schema"])}
    return Kept(stored, tuple(sorted(flags)))


def content_digest(package: Mapping[str, Any]) -> str:
    """Give the digest by which a repeated request is told from another one under the same key."""
    content = {name: value for name, value in package.items() if name not in NOT_CONTENT}
    return digest(clean(content, text_limit=1 << 24).value)


def recommended(package: Mapping[str, Any]) -> str:
    """Give the title of the plan that the agent recommends, or of the only one; blank where there is neither."""
    chosen = recommended_plan(package)
    return chosen.title if chosen else ""


def recommended_plan(package: Mapping[str, Any]) -> plan.Proposal | None:
    """Give the plan that the agent recommends, or the only one, or None."""
    proposals = plan.proposals_of(package)
    named = [each for each in proposals if each.recommended] or (proposals if len(proposals) == 1 else ())
    return named[0] if named else None


def likeness(package: Mapping[str, Any]) -> str:
    """Give what a re-raised case has in common with its forerunner: the failed call and the plans, without their ids.

    Blank where nothing failed: two questions are never taken for one.
    """
    failure = package.get("failure")
    if not failure:
        return ""
    call = [failure.get(name) for name in ("tool", "class", "code", "field", "args", "received")]
    plans = [
        [each.get("kind"), [[step.get("tool"), step.get("args")] for step in each.get("steps") or ()]]
        for each in package.get("proposals") or ()
    ]
    told = [package.get("title"), package.get("goal"), package.get("trigger"), call, plans]
    return digest(clean(told, text_limit=1 << 24).value)


def fingerprint(package: Mapping[str, Any]) -> str:
    """Give what cases of one cause have in common: tool, class, code and field of the failure; blank without one."""
    failure = package.get("failure")
    if not failure:
        return ""
    return digest([failure.get(name) for name in ("tool", "class", "code", "field")])[:32]


def _plan_faults(proposal: plan.Proposal, where: str) -> Iterator[FieldError]:
    ids = [step.id for step in proposal.steps]
    yield from _doubles(ids, f"{where}.steps")
    yield from _doubles(
        [step.idempotency_key for step in proposal.steps], f"{where}.steps", "idempotency_key"
    )
    by_id = {step.id: step for step in proposal.steps}
    for index, step in enumerate(proposal.steps):
        here = f"{where}.steps.{index}"
        yield from carry.faults(step.args, prefix=f"{here}.args")
        if step.args_schema is not None:
            yield from _schema_fault(step.args_schema, f"{here}.args_schema")
        for needed in step.needs:
            if needed not in by_id:
                constraint = f"one of: {', '.join(ids)}"
                yield FieldError(
                    "NO_SUCH_STEP", f"{here}.depends_on", constraint, needed, "Name a step of this plan."
                )
        if step.id in plan.ancestors(step.id, by_id):
            yield FieldError("CYCLE", f"{here}.depends_on", "no step waits for itself", step.id)


def _default_faults(
    default: Mapping[str, Any] | None, proposals: tuple[plan.Proposal, ...]
) -> Iterator[FieldError]:
    if default is None or default["action"] != OnTimeout.APPROVE:
        return
    try:
        chosen = plan.pick(proposals, default.get("proposal_id"))
    except plan.NoSuchProposal as refusal:
        for error in refusal.errors:
            yield FieldError(
                error.code, "on_timeout.proposal_id", error.constraint, error.received, error.hint
            )
        return
    if not chosen.reads_only:
        hint = "A default may approve only a plan whose every step is a read."
        yield FieldError("DEFAULT_WOULD_WRITE", "on_timeout.action", "expire or reject", "approve", hint)


def _schema_fault(found: object, where: str) -> Iterator[FieldError]:
    if (fault := schema.fault_of_schema(_lighter(found))) is not None:
        yield FieldError(
            "BAD_SCHEMA", where, fault.splitlines()[0], None, "Send a JSON Schema without remote parts."
        )


def _doubles(names: list[str], where: str, what: str = "id") -> Iterator[FieldError]:
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield FieldError("DUPLICATE", where, f"each {what} once", name, None)


def _kept_plan(raw: Mapping[str, Any], flags: set[str]) -> dict[str, Any]:
    return {
        **_cleaned(raw, {"steps"}, flags),
        "steps": [_kept_step(step, flags) for step in raw.get("steps") or ()],
    }


def _kept_step(raw: Mapping[str, Any], flags: set[str]) -> dict[str, Any]:
    args_schema = raw.get("args_schema")
    return {
        **_cleaned(raw, {"args", "args_schema"}, flags),
        "args": raw.get("args") or {},
        "args_schema": args_schema if args_schema is None else _lighter(args_schema),
    }


def _cleaned(raw: Mapping[str, Any], without: set[str], flags: set[str]) -> dict[str, Any]:
    found = clean({name: value for name, value in raw.items() if name not in without})
    flags |= found.flags
    return dict(found.value) if isinstance(found.value, dict) else {}


def _lighter(value: object) -> Any:
    """Give a schema that a JSON column can hold: no NUL, and bounds such as 2^63-1 as the doubles they are read as."""
    match value:
        case dict():
            return {str(key).replace("\x00", "\ufffd"): _lighter(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_lighter(inner) for inner in value]
        case str():
            return value.replace("\x00", "\ufffd")
        case bool():
            return value
        case int() if abs(value) > SAFE_INTEGER:
            return float(min(max(value, -(10**308)), 10**308))
        case _:
            return value
