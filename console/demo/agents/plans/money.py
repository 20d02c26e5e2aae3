"""Money: cards that are declined, captures that are too large, refunds in doubt or above the limit."""

import switchboard as sb
from console.demo.agents.plans.forms import fixed, form
from console.demo.agents.plans.steps import capture, refund, refund_form, release, tell
from console.demo.agents.trip import Trip, more

DESK_LIMIT = "1500.00"


def declined(trip: Trip) -> sb.Offer:
    """The card was declined; the hold still stands."""
    plans = [
        sb.Plan(
            "A",
            "continue",
            "Ask the traveller for another card and keep the hold",
            (tell(trip, "Your card was declined. Please send us another one before the hold lapses."),),
            rationale="The hold stands for four hours; nothing was charged.",
            risk="The hold lapses if nobody answers.",
            recommended=True,
        ),
        sb.Plan(
            "B",
            "alternate",
            "Pay from the desk's account",
            (capture(trip, trip.price),),
            rationale="Keeps the fare.",
            risk=f"{trip.price} on the desk's own account until the traveller pays.",
        ),
        sb.Plan(
            "C",
            "compensate",
            "Give seat and hold back",
            release(trip),
            rationale="If the traveller cannot be reached.",
        ),
    ]
    return sb.Offer(f"Card declined for booking {trip.hold}", plans, more=more("high", trip.due(24)))


def capture_unanswered(trip: Trip, result: sb.Result) -> sb.Offer:
    """The card may have been charged: look at the booking's payments before anything is taken again."""
    look = sb.PlanStep(
        "pay.lookup",
        {"hold": trip.hold},
        id="look",
        reconciles=result.call_id,
        args_schema=form(hold=fixed(trip.hold, "The booking.")),
        note="Asks the provider what was taken for this booking.",
    )
    again = sb.PlanStep(
        "pay.capture",
        {"hold": trip.hold, "amount": trip.price, "method": "desk-account"},
        id="again",
        depends_on=("look",),
        run_if=("look", "empty"),
        idempotency_key=result.idempotency_key,
        args_schema=capture(trip, trip.price).args_schema,
        note="Only runs when nothing was taken; the desk pays and bills the traveller.",
    )
    plans = [
        sb.Plan(
            "A",
            "continue",
            "Find out first, then pay only if nothing was taken",
            (look, again),
            rationale="The provider did not say whether the card was charged; the look-up does.",
            risk="None: a payment is made once under its key.",
            recommended=True,
        ),
        sb.Plan(
            "B", "compensate", "Give seat and hold back", release(trip), rationale="If the fare has lapsed."
        ),
    ]
    title = f"Payment of {trip.price} sent, no clear answer"
    return sb.Offer(title, plans, more=more("high", trip.due(13)))


def captured_too_much(trip: Trip, asked: str, captured: str) -> sb.Offer:
    """The provider took twice what was asked: the difference goes back, or all of it."""
    over = difference(captured, asked)
    note = "What the provider says was taken."
    plans = [
        sb.Plan(
            "A",
            "compensate",
            f"Give the {over} too much back",
            (
                sb.PlanStep("pay.lookup", {"hold": trip.hold}, id="look", note=note),
                refund(trip, over, "captured twice"),
            ),
            rationale="The booking stays as it is.",
            risk="A second refund of this payment is not possible.",
            recommended=True,
        ),
        sb.Plan(
            "B",
            "compensate",
            "Give all of it back and release the booking",
            (refund(trip, captured, "captured twice", approved_by="shift lead"), *release(trip)),
            rationale="If the booking should be paid again from the start.",
            risk="The fare may be gone.",
        ),
        sb.Plan(
            "C",
            "continue",
            "Leave it to the settlement and tell the traveller",
            (tell(trip, f"{captured} was taken instead of {asked}. We are looking into it."),),
            rationale="Some providers correct this within the hour.",
        ),
    ]
    title = f"Taken {captured} instead of {asked} for booking {trip.hold}"
    return sb.Offer(title, plans, more=more("critical", trip.due(18)))


def refund_unanswered(trip: Trip, result: sb.Result) -> sb.Offer:
    """The money may be on its way back: look by the key before anything is sent again."""
    key = result.idempotency_key or ""
    look = sb.PlanStep(
        "pay.refund_status",
        {"key": key},
        id="look",
        reconciles=result.call_id,
        args_schema=form(key=fixed(key, "The key of the refund in doubt.")),
        note="Asks the provider whether the refund arrived.",
    )
    again = sb.PlanStep(
        "pay.refund",
        {name: value for name, value in result.args.items() if value},
        id="again",
        depends_on=("look",),
        run_if=("look", "empty"),
        idempotency_key=key,
        args_schema=refund_form(trip),
        note="The same key. Only runs when the first step finds nothing.",
    )
    plans = [
        sb.Plan(
            "A",
            "continue",
            "Find out first, then refund only if it did not happen",
            (look, again),
            rationale="The look-up is safe and settles the question.",
            risk="None: the provider refunds a payment once.",
            recommended=True,
        ),
        sb.Plan(
            "B", "continue", "Only find out and report", (look,), rationale="If the books are closed today."
        ),
    ]
    title = f"Refund of {result.args['amount']} sent, no answer in 6 seconds"
    return sb.Offer(title, plans, more=more("high", trip.due(16)))


def over_the_limit(trip: Trip, wanted: str) -> sb.Offer:
    """The desk may not refund this much by itself."""
    approved = refund(trip, wanted, "over the desk limit", approved_by="shift lead")
    plans = [
        sb.Plan(
            "A",
            "continue",
            f"Refund {wanted} with a person's approval",
            (approved, tell(trip, f"您的退款 {wanted} 已批准，3 个工作日内到账。", after="refund")),
            rationale=f"The booking was paid in full; only the desk limit of {DESK_LIMIT} is in the way.",
            risk="Cannot be undone.",
            recommended=True,
        ),
        sb.Plan(
            "B",
            "degrade",
            f"Refund {DESK_LIMIT} now, the rest by the back office",
            (refund(trip, DESK_LIMIT, "first part, desk limit"),),
            rationale="Within the limit, no approval needed.",
            risk="A payment can be refunded once: the rest needs another way.",
        ),
        sb.Plan(
            "C",
            "continue",
            "Refuse the refund and tell the traveller",
            (tell(trip, "您的退款申请未获批准，客服将与您联系。"),),
            rationale="If the fare does not allow it.",
        ),
    ]
    return sb.Offer(f"Refund of {wanted} over the desk limit", plans, more=more("medium", trip.due(21)))


def difference(more_than: str, asked: str) -> str:
    """The difference of two amounts, as an amount."""
    hundredths = int(more_than.replace(".", "")) - int(asked.replace(".", ""))
    return f"{hundredths // 100}.{hundredths % 100:02d}"
