"""The plans the kit offers by itself, from what it knows of the failed call and of what was done before."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from switchboard._canonical import digest
from switchboard.fallback import Alternate
from switchboard.logical import LogicalCall
from switchboard.plans import Plan, PlanStep
from switchboard.result import Result
from switchboard.task import Task
from switchboard.tool import Tool, next_args
from switchboard.undoing import to_undo
from switchboard.vocabulary import Effect, Executed, Trigger

Concealed = Callable[[Tool | None, Mapping[str, Any]], dict[str, Any]]


def offered(call: LogicalCall, result: Result, trigger: Trigger) -> list[Plan]:
    """What could be done about this failure; the first one is recommended."""
    found = [*_about_the_call(call, result, trigger), *_undo_all(call.session), _go_on(call.tool)]
    return [replace(each, recommended=place == 0) for place, each in enumerate(found)]


def on_the_wire(session: Task, case_key: str, proposal: Plan, concealed: Concealed) -> dict[str, Any]:
    """A proposal as it is sent: keys made, secrets replaced by references, schemas added."""
    seen: dict[str, Any] = {"id": proposal.id, "kind": proposal.kind, "title": proposal.title}
    seen |= {"rationale": proposal.rationale, "risk": proposal.risk, "recommended": proposal.recommended}
    seen["steps"] = [
        _step(session, [case_key, proposal.id], step, place, concealed)
        for place, step in enumerate(proposal.steps, start=1)
    ]
    return seen


def _about_the_call(call: LogicalCall, result: Result, trigger: Trigger) -> Iterable[Plan]:
    tool, again = call.tool, PlanStep(call.tool.name, call.args.plain, id="retry")
    if result.executed is Executed.UNKNOWN:
        if (check := _check(call)) is not None:
            yield _check_first(call, check)
        return
    if trigger is Trigger.POLICY_CONFLICT:
        return
    title = "Try again once it has been put right" if trigger is Trigger.AUTH_FAILURE else "Try once more"
    yield Plan("retry", "retry", title, (again,), rationale="Nothing was done by the failed call.")
    for fallback in tool.fallbacks:
        if isinstance(fallback, Alternate):
            given = dict(fallback.args(call.args.plain) if fallback.args else call.args.plain)
            step = PlanStep(fallback.tool, given, id="alternate")
            yield Plan("alternate", "alternate", f"Use {fallback.tool} instead", (step,), risk=fallback.note)


def _check(call: LogicalCall) -> PlanStep | None:
    link = call.tool.reconcile
    reader = call.session.box.tools.get(link.tool) if link else None
    if link is None or reader is None:
        return None
    known = {**call.args.plain, "idempotency_key": call.sent_key}
    given = next_args(link, reader.signature.names, args=known, result=None)
    return PlanStep(reader.name, given, id="check", reconciles=call.call_id, note="Did it happen?")


def _check_first(call: LogicalCall, check: PlanStep) -> Plan:
    """Look, and only where it did not happen do it, under the same key: if it lands late, it is still one."""
    again = PlanStep(
        call.tool.name,
        call.args.plain,
        id="retry",
        depends_on=("check",),
        run_if=("check", "empty"),
        idempotency_key=call.sent_key,
        note="Runs only when the check finds nothing.",
    )
    return Plan(
        "check-then-retry",
        "retry",
        f"Check whether {call.tool.name} happened, and do it only if it did not",
        (check, again),
        rationale="Nobody knows whether it happened; the check says so before anything is done again.",
        risk="It may still be on its way when the check is made.",
    )


def _undo_all(session: Task) -> Iterable[Plan]:
    """Take back what this session has done, last first."""
    steps = tuple(
        PlanStep(undo.tool, undo.args, id=f"undo-{place}", compensates=undo.call_id, note=undo.note)
        for place, undo in enumerate(to_undo(session), start=1)
    )
    if steps:
        yield Plan(
            "undo",
            "compensate",
            "Take back what was done",
            steps,
            rationale="The rest of the task cannot go on.",
        )


def _go_on(tool: Tool) -> Plan:
    if tool.optional:
        return Plan("without", "degrade", tool.optional, rationale="The step is optional.")
    return Plan(
        "continue", "continue", f"Go on without {tool.name}", rationale="What was done stays as it is."
    )


def _step(
    session: Task, within: list[str], step: PlanStep, place: int, concealed: Concealed
) -> dict[str, Any]:
    tool = session.box.tools.get(step.tool)
    step_id, args = step.id or f"step-{place}", concealed(tool, step.args)
    # A later revision may use the same name for another effect, which then needs another key.
    key = step.idempotency_key or digest([session.id, *within, step_id, step.tool, args])
    seen: dict[str, Any] = {
        "id": step_id,
        "tool": step.tool,
        "args": args,
        "side_effect": (tool.effect if tool else Effect.WRITE).value,
        "reversible": bool(tool and tool.compensate),
        "depends_on": list(step.depends_on) or None,
        "run_if": {"step": step.run_if[0], "is": step.run_if[1]} if step.run_if else None,
        "compensates": step.compensates,
        "reconciles": step.reconciles,
        "note": step.note,
        "args_schema": dict(step.args_schema) if step.args_schema else tool.schema if tool else None,
        "idempotency_key": key,
    }
    return {name: value for name, value in seen.items() if value is not None}
