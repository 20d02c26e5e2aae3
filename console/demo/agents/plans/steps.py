"""Steps that several plans share."""

import switchboard as sb
from console.demo.agents.plans.forms import Schema, fixed, form, money, text, word
from console.demo.agents.trip import Trip


def tell(trip: Trip, said: str, *, after: str = "", whom: str = "") -> sb.PlanStep:
    """A message to the traveller, or to somebody else of the party."""
    return sb.PlanStep(
        "traveller.notify",
        {"to": whom or trip.traveller, "text": said},
        id="tell",
        depends_on=_after(after),
        args_schema=form(to={"type": "string"}, text=text("Message")),
    )


def release(trip: Trip) -> tuple[sb.PlanStep, ...]:
    """Seat and hold given back, last first."""
    hold = form(hold=fixed(trip.hold, "The booking."))
    seat = sb.PlanStep(
        "seat.release",
        {"hold": trip.hold},
        id="seat",
        args_schema=hold,
        note=f"Seat {trip.seat} is free again.",
    )
    fare = sb.PlanStep("fare.release", {"hold": trip.hold}, id="fare", args_schema=hold)
    return (seat, fare) if trip.seat else (fare,)


def capture(trip: Trip, amount: str) -> sb.PlanStep:
    """A payment from the desk's own account."""
    return sb.PlanStep(
        "pay.capture",
        {"hold": trip.hold, "amount": amount, "method": "desk-account"},
        id="capture",
        args_schema=form(
            hold=fixed(trip.hold, "The booking."),
            amount=money("Amount"),
            method=word(["desk-account"], "From"),
        ),
        note="The desk pays; the traveller is billed later. Cannot be undone, only refunded.",
    )


def refund(trip: Trip, amount: str, reason: str, *, approved_by: str = "") -> sb.PlanStep:
    """The refund of the trip's payment."""
    args = {"payment": trip.payment, "amount": amount, "reason": reason}
    return sb.PlanStep(
        "pay.refund",
        args | ({"approved_by": approved_by} if approved_by else {}),
        id="refund",
        args_schema=refund_form(trip),
        note="Cannot be undone; a payment is refunded once.",
    )


def refund_form(trip: Trip) -> Schema:
    """What may be changed about a refund."""
    return form(
        payment=fixed(trip.payment, "The payment."),
        amount=money("Amount"),
        reason=text("Reason", least=3, most=120),
        approved_by=text("Approved by", least=2, most=80, optional=True),
    )


def issue(trip: Trip, *, after: str = "", only: str = "", without: str = "") -> sb.PlanStep:
    """Passes for the party, for one of it, or for all but one."""
    people = [only] if only else [person for person in trip.party if person != without]
    travellers = {"type": "array", "items": word(trip.party), "minItems": 1, "title": "Travellers"}
    return sb.PlanStep(
        "pass.issue",
        {"flight": trip.flight, "travellers": people},
        id="pass",
        depends_on=_after(after),
        args_schema=form(flight=fixed(trip.flight, "The flight."), travellers=travellers),
        note="Passes cannot be called back.",
    )


def _after(step: str) -> tuple[str, ...]:
    return (step,) if step else ()
