"""The trip booker: finds a flight, holds it, chooses the seat, upgrades with points, pays, and tells the traveller."""

from datetime import date, timedelta

import switchboard as sb
from console.demo.agents.plans import journey, money
from console.demo.agents.scripts.people import asked, decided, settled, state
from console.demo.agents.trip import Trip

SEAT_TRIES = ("{wish}", "aisle, not last row", "aisle-front")


async def book(trip: Trip) -> str:
    """Run one booking request to its end: done, failed or handed_over."""
    flights = await _find(trip)
    if flights is None:
        return state(trip.ended)
    if not await _hold(trip, flights):
        return state(trip.ended)
    if trip.wish.get("upgrade"):
        await _upgrade(trip)
    if not await _pay(trip):
        return state(trip.ended)
    return await _papers(trip)


async def _find(trip: Trip) -> list[dict[str, str]] | None:
    wish, session = trip.wish, trip.session
    query = {"origin": wish["from"], "destination": wish["to"], "date": wish["date"]}
    with session.turn("The date is fixed and the traveller names both ends, so flights come first."):
        found = await session.call("flight.search", query)
        if wish.get("hotel"):
            await session.call("hotel.offer", {"city": wish["to"], "date": wish["date"]})
        if wish.get("forecast"):
            await session.call("weather.lookup", {"city": wish["to"], "date": wish["date"]})
    for reason, attempt in _readings(trip):
        if found.ok:
            break
        if found.case is not None or not _is_empty(found):
            await decided(trip, found)
            return None
        with session.turn(reason):
            found = await _look(trip, attempt, found)
    if found.ok:
        return list(found.data)
    for case in session.cases:
        await settled(trip, case)
    return None


def _readings(trip: Trip) -> list[tuple[str, dict[str, str]]]:
    """How the model reads the request again after an empty list, one reading a turn, until the guard stops it."""
    origin, destination, when = (str(trip.wish[name]) for name in ("from", "to", "date"))
    later = str(date.fromisoformat(when) + timedelta(days=1))
    earlier = str(date.fromisoformat(when) - timedelta(days=1))
    return [
        (f"An empty list may mean that {destination} is a city and not an airport; I look its airports up.", {"city": destination}),
        (f"Nothing from {origin} on {when}; perhaps the day after.", {"date": later}),
        ("Nothing the day after either; perhaps the day before.", {"date": earlier}),
        ("Still nothing; perhaps the other direction was meant.", {"origin": destination, "destination": origin}),
        ("I have no further reading of this request.", {"date": str(date.fromisoformat(when) + timedelta(days=7))}),
    ]  # fmt: skip


async def _look(trip: Trip, attempt: dict[str, str], found: sb.Result) -> sb.Result:
    """One more search under another reading; a city code is looked up first."""
    query = {"origin": trip.wish["from"], "destination": trip.wish["to"], "date": trip.wish["date"]}
    if "city" in attempt:
        airports = await trip.session.call("airport.lookup", attempt)
        if not airports.ok or not airports.data:
            return found
        attempt = {"destination": airports.data[0]}
    return await trip.session.call("flight.search", query | attempt)


def _is_empty(result: sb.Result) -> bool:
    return result.error is not None and str(result.error.class_) == "empty"


async def _hold(trip: Trip, flights: list[dict[str, str]]) -> bool:
    session = trip.session
    with session.turn(
        f"{flights[0]['no']} is the earliest; I hold it before its price moves and choose the seat."
    ):
        held = await _hold_one(trip, flights[0])
        if held.ok:
            await _seat(trip)
    if not held.ok and held.case is None and len(flights) > 1:
        with session.turn(
            f"{flights[0]['no']} cannot be had; {flights[1]['no']} leaves later and fits as well."
        ):
            held = await _hold_one(trip, flights[1])
            if held.ok:
                await _seat(trip)
    if not held.ok:
        await decided(trip, held)
    return held.ok


async def _hold_one(trip: Trip, flight: dict[str, str]) -> sb.Result:
    held = await trip.session.call("fare.hold", {"flight": flight["no"], "traveller": trip.traveller})
    if held.ok:
        trip.flight, trip.hold, trip.price = flight["no"], held.data["hold"], held.data["price"]
    return held


async def _seat(trip: Trip) -> None:
    """The seat in the traveller's words first; other words only when those are refused."""
    wish = str(trip.wish.get("seat", "any"))
    for words in SEAT_TRIES:
        args = {"hold": trip.hold, "seat_pref": words.format(wish=wish), "traveller": trip.traveller}
        seat = await trip.session.call("seat.select", args)
        if seat.ok:
            trip.seat = seat.data["seat"]
            return
        if seat.case is not None:
            await _seat_by_people(trip, seat)
            return
        if seat.error is None or str(seat.error.class_) != "invalid_args":
            return


async def _seat_by_people(trip: Trip, seat: sb.Result) -> None:
    """A plan seats the traveller; an answer is the seat word to use."""
    ended = await decided(trip, seat)
    if ended is None:
        return
    if isinstance(ended.answer, dict) and "seat_pref" in ended.answer:
        args = {"hold": trip.hold, "seat_pref": ended.answer["seat_pref"], "traveller": trip.traveller}
        answered = await trip.session.call("seat.select", args)
        trip.seat = answered.data["seat"] if answered.ok else ""
    elif "seat" in ended.results and ended.results["seat"].ok:
        trip.seat = ended.results["seat"].data["seat"]


async def _upgrade(trip: Trip) -> None:
    account = trip.wish["account"]
    query = {"account": account} | ({"member_no": trip.wish["member_no"]} if "member_no" in trip.wish else {})
    with trip.session.turn(
        "The balance decides about the upgrade, so I ask for it before I ask the carrier."
    ):
        balance = await trip.session.call("points.query", query)
        if not balance.ok and balance.case is None and "member_no" in query:
            balance = await trip.session.call("points.query", {"account": account})
        points = await _points(trip, balance)
        if points is None:
            return
        trip.points = points
        args = {"hold": trip.hold, "flight": trip.flight, "account": account, "points_max": 32_000}
        made = await trip.session.call("upgrade.request", args)
    await decided(trip, made)


async def _points(trip: Trip, balance: sb.Result) -> int | None:
    """The balance, from the query itself or from the one that people had repeated."""
    if balance.ok:
        return int(balance.data["points"])
    ended = await decided(trip, balance)
    if ended is not None and "ask" in ended.results and ended.results["ask"].ok:
        return int(ended.results["ask"].data["points"])
    return None


async def _pay(trip: Trip) -> bool:
    with trip.session.turn(f"The fare is {trip.price}; the hold lapses in four hours, so I pay now."):
        await trip.session.call("flight.check", {"flight": trip.flight, "date": trip.wish["date"]})
        args = {"hold": trip.hold, "amount": trip.price, "card": trip.wish["card"]}
        paid = await trip.session.call("pay.capture", args)
    if not paid.ok:
        ended = await decided(trip, paid)
        return ended is not None and ended.status == "executed" and "capture" in ended.results
    trip.payment = paid.data["payment"]
    if paid.data["captured"] != paid.data["asked"]:
        offer = money.captured_too_much(trip, paid.data["asked"], paid.data["captured"])
        await asked(trip, offer, "payment_anomaly", paid)
    return True


async def _papers(trip: Trip) -> str:
    session, wish = trip.session, trip.wish
    with session.turn("Everything is booked; the traveller should hear of it, with the papers asked for."):
        if wish.get("itinerary"):
            paper = await session.call("docs.render", {"hold": trip.hold})
            if not paper.ok:
                await _paper_by_people(trip, paper)
        if wish.get("forecast"):
            await session.call("weather.lookup", {"city": wish["to"], "date": wish["date"]})
        said = f"{trip.flight} on {wish['date']}, seat {trip.seat or 'at the gate'}, booking {trip.hold}."
        told = await session.call("traveller.notify", {"to": trip.traveller, "text": said})
    return "done" if told.ok else "failed"


async def _paper_by_people(trip: Trip, paper: sb.Result) -> None:
    offer = journey.paper_broken(trip)
    await asked(trip, offer, "other", paper)
