"""A plan as a small graph: how deep each step stands, what it waits for, and from where nothing can be undone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from escalations.queries import PlanStepView

READ = "read"
DEEPEST = 4


@dataclass(frozen=True, slots=True)
class Place:
    """Where one step stands: its depth, the numbers of the steps it waits for, and whether it is the turning point."""

    depth: int
    after: tuple[int, ...]
    no_return: bool


def places(steps: Sequence[PlanStepView]) -> Mapping[str, Place]:
    """Give each step's place. The turning point is the first step that cannot be undone, where others come before."""
    numbers = {step.id: step.n for step in steps}
    depths: dict[str, int] = {}
    for step in steps:  # what a step waits for may stand after it in the list: then it counts as a start
        depths[step.id] = min(
            DEEPEST, max((depths[name] + 1 for name in _needs(step) if name in depths), default=0)
        )
    final = [step.id for step in steps if step.side_effect != READ and not step.reversible]
    turning = final[0] if final and len(steps) > 1 else ""
    return {
        step.id: Place(
            depths[step.id],
            tuple(sorted(numbers[name] for name in _needs(step) if name in numbers)),
            step.id == turning,
        )
        for step in steps
    }


def _needs(step: PlanStepView) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*step.depends_on, *((step.run_if_step,) if step.run_if_step else ()))))
