"""Which plans fit which failure: the hook that the toolbox asks before it opens a case."""

import switchboard as sb
from console.demo.agents.plans import journey, money, seating, upgrade
from console.demo.agents.trip import Trip


def offer(trip: Trip, result: sb.Result, trigger: str) -> sb.Offer | None:
    """The plans for this failure; None leaves it to what the kit itself can offer."""
    code = result.error.code if result.error else ""
    failure_class = str(result.error.class_) if result.error is not None else ""
    unknown = failure_class == "unknown_outcome"
    match result.tool:
        case "upgrade.request":
            return upgrade.unanswered(trip, result) if unknown else upgrade.short_of_points(trip)
        case "points.query" if trigger == "auth_failure":
            return upgrade.token_needs_person(trip, result)
        case "pay.capture" if unknown:
            return money.capture_unanswered(trip, result)
        case "pay.capture" if code == "DECLINED":
            return money.declined(trip)
        case "pay.refund" if unknown:
            return money.refund_unanswered(trip, result)
        case "seat.select" if trigger == "repeated_failure" and failure_class == "invalid_args":
            return seating.no_such_seat(trip)
        case "flight.search" if trigger == "loop_limit":
            return journey.no_flights(trip)
    if failure_class == "transient":
        return journey.service_away(trip, result)
    return None
