"""What happens to a case while nobody decides, and who may decide against its rules."""

from datetime import datetime

from console.kit.actor import Actor
from escalations.domain import glass, policy
from escalations.domain.lifecycle import UNDECIDED
from escalations.models import Case
from escalations.queries.shapes import ChainStepView, ChainView
from escalations.queries.states import state_of, subject_of
from escalations.vocabulary import ChainDo


def chain_view(case: Case) -> ChainView | None:
    """Give the chain of a case and where it stands, None where it has none."""
    steps = policy.kept_chain(case.policy)
    if not steps:
        return None
    going = case.chain_at is not None
    return ChainView(
        steps=tuple(
            ChainStepView(
                n=n + 1,
                do=step.do,
                who=step.person or step.team or step.url,
                seconds=step.seconds,
                state=_state(n, case.chain_step, going=going),
            )
            for n, step in enumerate(steps)
        ),
        next_at=case.chain_at,
        round=case.chain_round + 1,
        rounds=1 + max((step.times for step in steps if step.do is ChainDo.REPEAT), default=0),
    )


def glass_for(case: Case, actor: Actor, *, at: datetime) -> tuple[str, ...]:
    """Give the rules that this person would break by deciding, empty where they may not, or need not."""
    if case.decision not in UNDECIDED or glass.why_not_break(actor, case.policy) is not None:
        return ()
    return glass.broken(actor, subject_of(case), state_of(case), case.policy, at=at)


def _state(n: int, at: int, *, going: bool) -> str:
    if n < at:
        return "done"
    if not going:
        return "ended"
    return "next" if n == at else "ahead"
