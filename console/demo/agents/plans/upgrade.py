"""Upgrades: one that was never answered, one the points do not cover, and the token that opens an account."""

from typing import Any

import switchboard as sb
from console.demo.agents.plans.forms import Schema, fixed, form, text, whole, word, yes_or_no
from console.demo.agents.plans.steps import capture, release, tell
from console.demo.agents.trip import Trip, more

MOST_POINTS = 38_400
PRICE = "1180.00"


def unanswered(trip: Trip, result: sb.Result) -> sb.Offer:
    """The points may be gone: find out first, whatever is done then."""
    look = _look(result)
    plans = [_then_upgrade(trip, result, look), _then_refund(trip, result, look), _keep_economy(trip)]
    title = "升舱请求已发出，10 秒内无应答" if trip.chinese else "Upgrade sent, no answer in 10 seconds"
    return sb.Offer(title, plans, more=more("high", trip.due(14)))


def short_of_points(trip: Trip) -> sb.Offer:
    """The carrier wants more points than there are: a rule of theirs, so people decide what gives."""
    plans = [
        sb.Plan(
            "A",
            "degrade",
            "Keep economy and say why",
            (tell(trip, f"An upgrade needs more than the {trip.points} points you have. Economy is kept."),),
            rationale=f"The balance is {trip.points}; the carrier asks for more.",
            risk="None: nothing further is charged.",
            recommended=True,
        ),
        sb.Plan(
            "B",
            "alternate",
            "Pay for the upgrade from the desk's account",
            (capture(trip, PRICE), tell(trip, "Your upgrade was paid for.", after="capture")),
            rationale="The traveller has paid for upgrades before.",
            risk=f"A payment of {PRICE} that was not asked for.",
        ),
        sb.Plan(
            "C", "compensate", "Give the booking up", release(trip), rationale="If economy makes no sense."
        ),
    ]
    title = f"Points do not cover the upgrade of {trip.traveller}: {trip.points} there"
    return sb.Offer(title, plans, more=more("medium", trip.due(32)))


def token_needs_person(trip: Trip, result: sb.Result) -> sb.Offer:
    """The account's token has expired and its owner wants a name for the renewal."""
    account = str(trip.wish["account"])
    renew = sb.PlanStep(
        "token.renew",
        {"account": account, "approved_by": "travel desk"},
        id="renew",
        args_schema=form(
            account=fixed(account, "The account."), approved_by=text("Approved by", least=2, most=80)
        ),
        note="The carrier keeps the name with the renewal.",
    )
    again = "The query that was refused, once more."
    ask = sb.PlanStep("points.query", dict(result.args), id="ask", depends_on=("renew",), note=again)
    plans = [
        sb.Plan(
            "A",
            "retry",
            "Renew the token in a person's name and ask again",
            (renew, ask),
            rationale="Nothing was done by the refused call; a renewed token is good for eight hours.",
            risk="The name is on record.",
            recommended=True,
        ),
        sb.Plan(
            "B",
            "degrade",
            "Go on without the upgrade",
            (tell(trip, "Your points could not be read. Your economy seat is kept."),),
            rationale="The booking itself does not need the points.",
        ),
    ]
    title = f"Points token of {account} has expired; renewing it needs a person"
    return sb.Offer(title, plans, more=more("medium", trip.due(9)))


def _look(result: sb.Result) -> sb.PlanStep:
    key = result.idempotency_key or ""
    return sb.PlanStep(
        "upgrade.status",
        {"key": key},
        id="look",
        reconciles=result.call_id,
        args_schema=form(key=fixed(key, "The key of the request in doubt.")),
        note="Asks the carrier whether the first request arrived.",
    )


def _then_upgrade(trip: Trip, result: sb.Result, look: sb.PlanStep) -> sb.Plan:
    again = sb.PlanStep(
        "upgrade.request",
        dict(result.args),
        id="again",
        depends_on=("look",),
        run_if=("look", "empty"),
        idempotency_key=result.idempotency_key,
        args_schema=_request_form(result.args),
        note="The same key as before. Only runs when the first step finds nothing.",
    )
    said = "您的升舱已确认，详见行程。" if trip.chinese else "Your upgrade is confirmed; see your trip."
    return sb.Plan(
        "A",
        "continue",
        "先查明，确认未发生再升舱"
        if trip.chinese
        else "Find out first, then upgrade only if it did not happen",
        (look, again, tell(trip, said, after="again")),
        rationale="A status look-up is safe and settles the question. Business was asked for only if certain.",
        risk="The look-up may come before a request that is still on its way; the key keeps it to one.",
        recommended=True,
    )


def _then_refund(trip: Trip, result: sb.Result, look: sb.PlanStep) -> sb.Plan:
    key = result.idempotency_key or ""
    refund = sb.PlanStep(
        "points.refund",
        {"upgrade_key": key, "reason": "upgrade not confirmed in time"},
        id="refund",
        depends_on=("look",),
        run_if=("look", "succeeded"),
        compensates=result.call_id,
        args_schema=form(
            upgrade_key=fixed(key, "The key of the request in doubt."),
            reason=text("Reason", least=3, most=120),
        ),
        note="Only runs when the upgrade was made; the carrier gives points back once.",
    )
    said = "积分已退回，经济舱座位保留。" if trip.chinese else "Your points were given back; economy is kept."
    return sb.Plan(
        "B",
        "compensate",
        "撤销升舱并退回积分" if trip.chinese else "Undo it: give the points back and keep economy",
        (look, refund, tell(trip, said, after="refund")),
        rationale="The traveller keeps the seat and the points.",
        risk="The upgrade is lost even if it was made.",
    )


def _keep_economy(trip: Trip) -> sb.Plan:
    return sb.Plan(
        "C",
        "degrade",
        "保留经济舱座位并告知旅客"
        if trip.chinese
        else f"Keep economy seat {trip.seat or 'as held'} and say so",
        (tell(trip, "Your upgrade could not be confirmed. Your economy seat is kept."),),
        rationale="Nothing further is sent.",
        risk="The points may be gone and nobody looks.",
    )


def _request_form(args: Any) -> Schema:
    return form(
        hold=fixed(args["hold"], "The booking."),
        flight=fixed(args["flight"], "Fixed by the hold."),
        account=fixed(args["account"], "The account the points come from."),
        points_max=whole(0, MOST_POINTS, "Points at most"),
        cabin=word(("premium", "business"), "Cabin"),
        seat_pref=word(("window", "aisle", "any"), "Seat"),
        notify=yes_or_no("Tell the traveller", optional=True),
    )
