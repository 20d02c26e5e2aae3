"""A task with its memory and with the people it may ask."""

from functools import cached_property

from switchboard.call_filter import CallFilter
from switchboard.handover import HandOverDesk, OpenCase
from switchboard.history import History
from switchboard.plans import Offer, Plan
from switchboard.result import Result
from switchboard.runtime import Runtime
from switchboard.task import Task
from switchboard.vocabulary import Trigger


class Work(Task):
    """What the path of a call needs of the session it is made in."""

    _limit_told = False

    @cached_property
    def filter(self) -> CallFilter:
        """What was asked already."""
        return CallFilter(self.box.clock, self.box.filter_mode)

    @cached_property
    def desk(self) -> HandOverDesk:
        """Where tasks are handed to people."""
        return HandOverDesk(self)

    @cached_property
    def history(self) -> History:
        """What was told so far."""
        return History(self)

    @property
    def can_hand_over(self) -> bool:
        """Whether there are people to ask."""
        return self.box.client is not None and self.named

    @property
    def cases(self) -> tuple[OpenCase, ...]:
        """The cases that are not finished, those of an earlier process included."""
        return self.desk.cases()

    async def at_limit(self, runtime: Runtime, result: Result) -> None:
        """The first call that a limit has refused goes to a person, once."""
        if self._limit_told or self.guard.reached is None or not self.guard.limits.person_at_limit:
            return
        self._limit_told = True
        if self.can_hand_over:
            offer = self.desk.offer(result, Trigger.LOOP_LIMIT) or Offer(
                f"{self.goal or self.id}: {result.error.message if result.error else 'at its limit'}",
                [Plan("finish", "continue", "Finish with what is known", recommended=True)],
            )
            await self.desk.open(
                runtime,
                offer.title,
                trigger=Trigger.LOOP_LIMIT,
                failure=result,
                proposals=offer.proposals,
                question=offer.question,
                key_parts=[Trigger.LOOP_LIMIT.value],
                **offer.more,
            )
