"""The next revision of a case: what changes, and what a plan that ended halfway has left to be done."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from switchboard.journal import HandedOver
from switchboard.plan_end import ended_as
from switchboard.plans import Kind, Plan, PlanStep
from switchboard.result import Result
from switchboard.vocabulary import Trigger
from switchboard.wire import DecidedStep, Decision

REVISING = "revising"  # the status of a case whose next revision the console may not have yet
_OF_THE_LAST_ONE = ("question", "expires_at", "on_timeout", "allowed")
_REST = "The rest of: "
_WENT_WELL = frozenset({"succeeded", "empty"})


def next_revision(kept: HandedOver, changes: Mapping[str, Any]) -> HandedOver:
    """The case as it is to be; a part given as None goes."""
    body = {name: value for name, value in {**kept.body, **changes}.items() if value is not None}
    return replace(
        kept, body=body, revision=kept.revision + 1, decision=None, status=REVISING, reported=False
    )


def rest_of(kept: HandedOver, decision: Decision, results: Mapping[str, Result]) -> Plan | None:
    """The steps that were decided and are not done, as a plan of their own, each effect under the key it had."""
    settled = _settled(decision.to_run, results)
    left = [step for step in decision.to_run if step.id not in settled and not _done(results[step.id])]
    if not left:
        return None
    names = {step.id for step in left}
    steps = tuple(
        PlanStep(
            step.tool,
            step.args,
            id=step.id,
            depends_on=tuple(name for name in step.depends_on if name in names),
            run_if=_still(step.run_if, names),
            compensates=step.compensates or _offered(kept, decision, step.id).get("compensates"),
            reconciles=step.reconciles or _offered(kept, decision, step.id).get("reconciles"),
            idempotency_key=step.idempotency_key,
        )
        for step in left
    )
    kind: Kind = _plan(kept, decision).get("kind", "retry")
    title = f"Do the rest: {', '.join(step.tool for step in left)}"
    done = f"{len(decision.to_run) - len(left)} of {len(decision.to_run)} steps are settled."
    return Plan(f"rest-{decision.revision}", kind, title[:200], steps, rationale=done, recommended=True)


def about_the_rest(kept: HandedOver, plan: Plan) -> dict[str, Any]:
    """What a case says when it is about the rest of its plan; the limits of the last revision were for that one."""
    title = str(kept.body["title"])
    said: dict[str, Any] = dict.fromkeys(_OF_THE_LAST_ONE)
    said["title"] = title if title.startswith(_REST) else f"{_REST}{title}"[:200]
    if plan.kind == "compensate":
        said["trigger"] = Trigger.COMPENSATION_FAILED.value
    return said


def _done(result: Result) -> bool:
    """A step is done when it worked or found nothing; what nobody knows of is looked up, not made again."""
    return ended_as(result) not in {"failed", "skipped"}


def _settled(steps: Sequence[DecidedStep], results: Mapping[str, Result]) -> set[str]:
    """The steps that their conditions rule out, all that wait for those, and what failed and was done another way."""
    out: set[str] = set()
    for _ in steps:  # as long as a chain of waiting steps can be
        out |= {step.id for step in steps if _ruled_out(step, results) or _waits_for(step) & out}
    for step in steps:
        if step.run_if and step.run_if.get("is") == "failed" and ended_as(results[step.id]) in _WENT_WELL:
            out.add(str(step.run_if.get("step")))
    return out


def _waits_for(step: DecidedStep) -> set[str]:
    """The steps that must have been made before this one."""
    return {*step.depends_on, *([str(step.run_if.get("step"))] if step.run_if else [])}


def _ruled_out(step: DecidedStep, results: Mapping[str, Result]) -> bool:
    """Its condition asks for another end than the earlier step had."""
    asked = results.get(str(step.run_if.get("step"))) if step.run_if else None
    if asked is None or step.run_if is None or ended_as(results[step.id]) != "skipped":
        return False
    return ended_as(asked) not in {"failed", "skipped", step.run_if.get("is")}


def _still(run_if: Mapping[str, Any] | None, names: set[str]) -> tuple[str, str] | None:
    """The condition of a step, where the step that it looks at is made again; else it is settled already."""
    if run_if is None or run_if.get("step") not in names:
        return None
    return str(run_if["step"]), str(run_if["is"])


def _plan(kept: HandedOver, decision: Decision) -> Mapping[str, Any]:
    plans = kept.body.get("proposals", ())
    return next((each for each in plans if each["id"] == decision.proposal_id), {})


def _offered(kept: HandedOver, decision: Decision, step_id: str) -> Mapping[str, Any]:
    steps = _plan(kept, decision).get("steps", ())
    return next((each for each in steps if each["id"] == step_id), {})
