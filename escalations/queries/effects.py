"""Which effects of what was done still stand: a part of a batch counts, what a plan has undone since does not."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from escalations.queries.shapes import DecisionView, DoneStepView, FailureView
from telemetry.vocabulary import FailureClass, SideEffect

DONE = frozenset({"executed", "succeeded"})


def after_decisions(
    steps: Sequence[DoneStepView], decisions: Iterable[DecisionView]
) -> tuple[DoneStepView, ...]:
    """Give the steps with those no longer standing that an executed compensation has undone."""
    undone = {
        step.compensates
        for decision in decisions
        for step in decision.steps
        if step.compensates and step.status in DONE
    }
    return tuple(
        replace(step, stands=False, undone=True) if step.call_id in undone and step.stands else step
        for step in steps
    )


def with_failure(steps: Sequence[DoneStepView], failure: FailureView | None) -> tuple[DoneStepView, ...]:
    """Give the steps, the call that failed among them with the part it did: its agent may call it just failed."""
    if failure is None or not did_a_part(failure):
        return tuple(steps)
    return tuple(
        replace(step, stands=True, partly=True) if step.call_id == failure.call_id else step for step in steps
    )


def standing(steps: Sequence[DoneStepView], failure: FailureView | None) -> int:
    """Count the effects that stand; the failed call counts where it did a part and is not among the steps."""
    told = {step.call_id for step in steps}
    apart = failure is not None and failure.call_id not in told and did_a_part(failure)
    return sum(step.stands for step in steps) + apart


def did_a_part(failure: FailureView) -> bool:
    """Say whether the call that failed has written a part of what it was to write."""
    return failure.failure_class == FailureClass.PARTIAL and failure.side_effect != SideEffect.READ
