"""The journey itself: no flight to be found, papers that cannot be made, services that stay away."""

import switchboard as sb
from console.demo.agents import words
from console.demo.agents.plans.forms import word
from console.demo.agents.plans.steps import tell
from console.demo.agents.trip import Trip, more

AWAY = {
    "flight.search": "No flights for {who}: both flight services are away",
    "fare.hold": "No fare held for {who}: the fare service is away",
    "seat.select": "No seat chosen for {who}: the seat service is away",
    "seat.map": "No seats for group {group}: the seat service is away",
    "seat.assign_batch": "No seats for group {group}: the seat service is away",
    "pass.issue": "No passes for group {group}: the check-in service is away",
    "points.query": "Points of {who} cannot be read: the points service is away",
    "pay.lookup": "Payment of booking {booking} cannot be looked up: the provider is away",
}
CHOICES = ("by way of Beijing", "by train to another airport", "another week", "drop the trip")


def no_flights(trip: Trip) -> sb.Offer:
    """Every reading of the request gave an empty list and the rounds are used up. Looking elsewhere only reads."""
    origin, destination, date = (str(trip.wish[name]) for name in ("from", "to", "date"))
    first = {"origin": origin, "destination": "PEK", "date": date}
    second = {"origin": "PEK", "destination": destination, "date": date}
    plans = [
        sb.Plan(
            "A",
            "alternate",
            f"Look for {words.city(origin)} to {words.city(destination)} by way of Beijing",
            (
                sb.PlanStep("flight.search", first, id="first"),
                sb.PlanStep("flight.search", second, id="second"),
            ),
            rationale="No carrier flies this pair on one ticket.",
            risk="None: it only reads.",
            recommended=True,
        ),
        sb.Plan(
            "B",
            "degrade",
            "Tell the traveller that there is no flight",
            (tell(trip, "There is no flight on that day. Please name another day or airport."),),
            rationale="The traveller may be flexible.",
        ),
    ]
    timeout = {"action": "approve", "proposal_id": "A"}
    return sb.Offer(
        f"No flights {words.city(origin)} to {words.city(destination)}, in five rounds",
        plans,
        question=word(CHOICES, "What is meant?"),
        more=more("low", trip.due(40), on_timeout=timeout),
    )


def paper_broken(trip: Trip) -> sb.Offer:
    """The agent's own code for the itinerary broke: a developer's matter, and a person's for this trip."""
    when = words.day(str(trip.wish["date"]))
    plain = f"{trip.flight} on {when}, seat {trip.seat or 'at the gate'}, booking {trip.hold}."
    note = "Once more, in case it has been repaired."
    plans = [
        sb.Plan(
            "A",
            "degrade",
            "Send the itinerary as plain text",
            (tell(trip, plain),),
            rationale="All that matters is known.",
            risk="No terminal in it.",
            recommended=True,
        ),
        sb.Plan(
            "B",
            "retry",
            "Render it once more",
            (sb.PlanStep("docs.render", {"hold": trip.hold}, id="render", note=note),),
            rationale="The record may be complete by now.",
        ),
    ]
    return sb.Offer(f"Itinerary of {trip.hold}: the tool itself broke", plans, more=more("low", trip.due(38)))


def service_away(trip: Trip, result: sb.Result) -> sb.Offer:
    """A service stays away and nothing stands in for it: wait and try again, or go without."""
    again = sb.PlanStep(
        result.tool,
        dict(result.args),
        id="again",
        idempotency_key=result.idempotency_key,
        note="Sent under its first key, so that the service does it once.",
    )
    plans = [
        sb.Plan(
            "A",
            "retry",
            "Try once more now",
            (again,),
            rationale="The service may be back.",
            recommended=True,
        ),
        sb.Plan(
            "B",
            "degrade",
            "Leave it out and tell the traveller",
            (tell(trip, "One part of your trip could not be booked yet. We will write again."),),
            rationale="What was done so far stays.",
        ),
    ]
    return sb.Offer(_away(trip, result.tool), plans, more=more("medium", trip.due(12)))


def _away(trip: Trip, tool: str) -> str:
    """What is missing because a service is away, in the words of the desk."""
    known = {
        "who": trip.traveller,
        "group": trip.wish.get("group", ""),
        "booking": trip.wish.get("booking", ""),
    }
    return AWAY.get(tool, tool + " is away for {who}").format(**known)
