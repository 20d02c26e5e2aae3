"""How a decided plan ends: which steps may still be made, and what to say of the whole. Pure functions of results."""

from collections.abc import Mapping, Sequence
from typing import Any

from switchboard.journal import HandedOver
from switchboard.report import failure_of
from switchboard.result import Result
from switchboard.vocabulary import Executed, FailureClass
from switchboard.wire import DecidedStep, Decision


def why_not(step: DecidedStep, results: Mapping[str, Result]) -> str | None:
    """Why a step is not to be made, from how the earlier ones ended."""
    for name in step.depends_on:
        earlier = results.get(name)
        followed = step.run_if is not None and step.run_if.get("step") == name
        if not followed and (earlier is None or not earlier.ok):
            return f"Step {name} did not succeed."
    if step.run_if is None:
        return None
    earlier = results.get(str(step.run_if.get("step")))
    wanted = step.run_if.get("is")
    if earlier is None or ended_as(earlier) != wanted:
        return f"Step {step.run_if.get('step')} did not end as {wanted}."
    return None


def ended_as(result: Result) -> str:
    """How a step ended, in the words of a plan: succeeded, empty, failed, unknown, skipped."""
    if result.ok:
        return "succeeded"
    if result.error is not None and result.error.code == "NOT_RUN":
        return "skipped"
    if result.error is not None and result.error.class_ is FailureClass.EMPTY:
        return "empty"
    if result.error is not None and result.error.executed is Executed.UNKNOWN:
        return "unknown"
    return "failed"


def status_of(steps: Sequence[DecidedStep], results: Mapping[str, Result]) -> str:
    """The outcome of the whole plan, from the tools' results alone."""
    ends = [ended_as(results[step.id]) for step in steps if step.id in results]
    made = [end for end in ends if end != "skipped"]
    if "unknown" in made:
        return "unknown"
    if not steps:
        return "executed"
    if not made:
        return "never_executed"
    good = sum(end in {"succeeded", "empty"} for end in made)
    if good == len(made):
        return "executed"
    touched = any(result.executed in {Executed.YES, Executed.PARTLY} for result in results.values())
    return "partial" if good or touched else "failed"


def step_told(name: str, result: Result) -> dict[str, Any]:
    """One step for the outcome report."""
    seen: dict[str, Any] = {"id": name, "status": ended_as(result)}
    if result.call_id:
        seen["call_id"] = result.call_id
    if result.data is not None:
        seen["result"] = result.data
    if result.error is not None and result.error.code != "NOT_RUN":
        seen["failure"] = failure_of(result.error)
    if result.items:
        seen["items"] = [{"key": each.key, "status": str(each.status)} for each in result.items]
    return seen


def reconciles(kept: HandedOver, decision: Decision, step_id: str, call_id: str) -> bool:
    """Whether a step of the approved proposal was the check of this very call."""
    for proposal in kept.body.get("proposals", ()):
        if proposal["id"] == decision.proposal_id:
            return any(
                step["id"] == step_id and step.get("reconciles") == call_id for step in proposal["steps"]
            )
    return False
