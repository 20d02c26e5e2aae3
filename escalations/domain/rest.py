"""The rest of a plan that ended halfway: what is still to be done, as a plan of its own that can be decided."""

from collections.abc import Mapping, Sequence
from typing import Any

from console.kit.canonical import digest
from escalations.vocabulary import RunIf, StepStatus
from telemetry.vocabulary import FailureClass, SideEffect

DONE = frozenset({StepStatus.EXECUTED, StepStatus.SUCCEEDED, StepStatus.EMPTY})
DOUBTFUL = frozenset({StepStatus.UNKNOWN, StepStatus.EXECUTING, StepStatus.PARTIAL})
NOTHING_HAPPENED = frozenset({FailureClass.INVALID_ARGS, FailureClass.TRANSIENT, FailureClass.HARD})
ENDED = {  # how a step that is done has ended, in the words of a condition
    StepStatus.EXECUTED: RunIf.SUCCEEDED,
    StepStatus.SUCCEEDED: RunIf.SUCCEEDED,
    StepStatus.EMPTY: RunIf.EMPTY,
}
REST = "rest"


def rest_of(
    package: Mapping[str, Any], steps: Sequence[Mapping[str, Any]], told: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any] | None:
    """Give the next revision's package: the decided steps that are not done, None where everything is.

    `steps` are the decided ones, `told` the latest report of each. A step that failed may have had its effect, unless it
    only reads; a step that was never begun has none. What its condition rules out is not left over, nor what was done
    another way after it had failed.
    """
    settled = _ruled_out(steps, told) | _done_otherwise(steps, told)
    open_ = [step for step in steps if step["run"] and step["id"] not in settled]
    left = [step for step in open_ if _status(told, step) not in DONE]
    if not left:
        return None
    done = [step for step in steps if step["run"] and step["id"] in told]
    before = [*(package.get("steps") or ()), *(_done(step, told[step["id"]]) for step in done)]
    proposal = _proposal(package, left, told)
    return {
        **package,
        "steps": before[-500:],  # of too many the newest: an effect that is unknown now must stay in sight
        "proposals": [proposal],
        "attempt": int(package.get("attempt") or 1) + 1,
        "on_timeout": None,
        "question": None,
    }


def _ruled_out(steps: Sequence[Mapping[str, Any]], told: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """Give the steps that asked for another end of an earlier one than it had, and all that wait for them."""
    by_id = {step["id"]: step for step in steps}
    out: set[str] = set()
    for _ in steps:  # as long as a chain of waiting steps can be
        for step in steps:
            condition = step.get("run_if")
            asked = _status(told, by_id[condition["step"]]) if condition else None
            missed = condition and asked in ENDED and ENDED[asked] != condition["is"]
            needs = {*(step.get("depends_on") or ()), *((condition["step"],) if condition else ())}
            if missed or needs & out:
                out.add(step["id"])
    return out


def _done_otherwise(steps: Sequence[Mapping[str, Any]], told: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """Give the steps that failed and whose stand-in for that case is done: both would be the same thing twice."""
    stand_ins = [step for step in steps if step.get("run_if") and step["run_if"]["is"] == RunIf.FAILED]
    return {step["run_if"]["step"] for step in stand_ins if _status(told, step) in DONE}


def _proposal(
    package: Mapping[str, Any], left: Sequence[Mapping[str, Any]], told: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    ids = {step["id"] for step in left}
    plans = [each for each in package.get("proposals") or () if ids & {step["id"] for step in each["steps"]}]
    proposed = {step["id"]: step for each in plans for step in each["steps"]}
    return {
        "id": REST,
        "kind": plans[0]["kind"] if plans else "continue",
        "title": "The rest of the plan",
        "rationale": f"{len(left)} steps of the decided plan are not done.",
        "risk": "",
        "recommended": False,
        "steps": [_step(step, proposed.get(step["id"], {}), ids, told) for step in left],
    }


def _step(
    step: Mapping[str, Any],
    proposed: Mapping[str, Any],
    ids: set[str],
    told: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    condition = step.get("run_if")
    return {
        "id": step["id"],
        "tool": step["tool"],
        "args": step["args"],
        "args_schema": proposed.get("args_schema") if proposed.get("tool") == step["tool"] else None,
        "side_effect": step["side_effect"],
        "reversible": step["reversible"],
        "compensates": step.get("compensates"),
        "reconciles": step.get("reconciles"),
        "note": _note(step, told) or proposed.get("note"),
        "depends_on": [each for each in step.get("depends_on") or () if each in ids],
        "run_if": condition if condition and condition["step"] in ids else None,
        "idempotency_key": step["idempotency_key"],  # the same effect under the same key, never a second one
    }


def _note(step: Mapping[str, Any], told: Mapping[str, Mapping[str, Any]]) -> str | None:
    if _doubtful(step, told):
        return "Its own effect is unknown: look it up before it is sent again."
    return "It failed the last time." if _status(told, step) is StepStatus.FAILED else None


def _status(told: Mapping[str, Mapping[str, Any]], step: Mapping[str, Any]) -> StepStatus | None:
    return StepStatus(told[step["id"]]["status"]) if step["id"] in told else None


def _doubtful(step: Mapping[str, Any], told: Mapping[str, Mapping[str, Any]]) -> bool:
    """Say whether the effect may have happened: a write that failed without proof that nothing was done."""
    status = _status(told, step)
    if status is None or step["side_effect"] == SideEffect.READ:
        return False
    if status is not StepStatus.FAILED:
        return status in DOUBTFUL
    said = (told[step["id"]].get("failure") or {}).get("class")
    return said not in NOTHING_HAPPENED


def _done(step: Mapping[str, Any], told: Mapping[str, Any]) -> dict[str, Any]:
    doubtful = _doubtful(step, {step["id"]: told})
    return {
        "call_id": told.get("call_id") or f"{step['id']}-{digest(step['idempotency_key'])[:8]}",
        "tool": step["tool"],
        "args": step["args"],
        "result": told.get("result"),
        "status": FailureClass.UNKNOWN_OUTCOME.value if doubtful else told["status"],
        "side_effect": step["side_effect"],
        "reversible": step["reversible"],
        "at": None,
    }
