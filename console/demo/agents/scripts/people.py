"""Waiting for people in the middle of a script."""

import asyncio
from contextlib import suppress

import switchboard as sb
from console.demo.agents.plans import choice
from console.demo.agents.trip import Trip

OUTCOME = {
    "executed": "done",
    "partial": "failed",
    "failed": "failed",
    "unknown": "failed",
    "never_executed": "failed",
}
AGAIN_S = 3.0


async def decided(trip: Trip, result: sb.Result) -> sb.Settled | None:
    """Wait until people have decided about this failure and it is done; None where there is nobody to ask.

    A write in doubt always goes to people, also when an earlier process was stopped before it could ask them.
    """
    if result.case is not None:
        return await settled(trip, result.case)
    if result.error is None or str(result.error.class_) != "unknown_outcome":
        return None
    offer = choice.offer(trip, result, "unknown_outcome")
    return None if offer is None else await asked(trip, offer, "unknown_outcome", result)


async def asked(trip: Trip, offer: sb.Offer, trigger: str, failure: sb.Result) -> sb.Settled:
    """Put this before people and wait for what they decide."""
    case = await trip.session.hand_over(
        offer.title,
        trigger=trigger,
        failure=failure,
        proposals=offer.proposals,
        question=offer.question,
        **offer.more,
    )
    return await settled(trip, case)


async def settled(trip: Trip, case: sb.OpenCase) -> sb.Settled:
    """Wait for one case, run what was decided, report it. A console that is away is waited for."""
    trip.waiting.cases.add(case.key)
    case_id = next((each.id for each in trip.session.cases if each.key == case.key), case.id)
    try:
        if trip.waiting.too_many and case_id is not None:
            await _withdraw(trip, case_id)
        while True:
            try:
                trip.ended = await trip.session.settle(case)
            except sb.Unreachable:
                await asyncio.sleep(AGAIN_S)
            else:
                return trip.ended
    finally:
        trip.waiting.cases.discard(case.key)


async def _withdraw(trip: Trip, case_id: str) -> None:
    """Take a case back that people could not get to anyway. A console that is away keeps it open."""
    client = trip.session.box.client
    if client is not None:
        with suppress(sb.Unreachable, sb.Conflict):
            remote = await client.aio.case(case_id)
            await remote.cancel("Too many cases wait already; the traveller was sent to the airport desk.")


def state(ended: sb.Settled | None, otherwise: str = "failed") -> str:
    """How a request ends after people had their say: done, failed, or handed over to them for good."""
    if ended is None:
        return otherwise
    if ended.status is not None:
        return OUTCOME[ended.status]
    return "handed_over"
