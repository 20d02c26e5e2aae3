"""The toolbox of an agent: its tools, policies, rules and breakers, and what it offers to people."""

from contextvars import ContextVar

import switchboard as sb
from console.demo.agents import policies
from console.demo.agents.plans import choice
from console.demo.agents.service import Service
from console.demo.agents.tools import booking, money, search
from console.demo.agents.trip import Trip
from switchboard.clock import Clock
from switchboard.rules import DEFAULT_RULES

under_way: ContextVar[Trip] = ContextVar("trip_under_way")


def toolkit(
    client: sb.Client, service: Service, *, pace: float = 1.0, clock: Clock | None = None
) -> sb.Toolbox:
    """All tools of the desk. Three agents share them; each calls those its script needs."""

    async def renew() -> None:
        await service.renew(str(under_way.get().wish["account"]))

    def offers(session: sb.Session, result: sb.Result, trigger: str) -> sb.Offer | None:
        trip = under_way.get(None)
        return (
            choice.offer(trip, result, str(trigger)) if trip is not None and trip.id == session.id else None
        )

    toolbox = sb.Toolbox(
        client,
        policies=policies.at_pace(pace),
        rules=sb.Rules(DEFAULT_RULES, repairs=policies.REPAIRS),
        default_breaker=policies.BREAKER,
        refresh={"points-api": renew},
        offers=offers,
        clock=clock,
    )
    for add in (
        search.add_flights, search.add_checks, search.add_extras, booking.add_holds, booking.add_seats, booking.add_parties, booking.add_papers,
        money.add_points, money.add_upgrades, money.add_captures, money.add_refunds,
    ):  # fmt: skip
        add(toolbox, service)
    return toolbox
