"""The group desk: seats a whole party, upgrades its leader where asked, and issues everybody's pass."""

import switchboard as sb
from console.demo.agents.plans import seating
from console.demo.agents.scripts.people import asked, decided, settled, state
from console.demo.agents.trip import Trip


async def check_in(trip: Trip) -> str:
    """Run one group request to its end: done, failed or handed_over."""
    trip.party = tuple(f"{trip.wish['group']}-P{n}" for n in range(1, int(trip.wish["size"]) + 1))
    if not await _find(trip):
        return state(trip.ended)
    if trip.wish.get("upgrade"):
        await _leader_points(trip)
    seats = await _seat_all(trip)
    if seats is None:
        return state(trip.ended)
    return await _passes(trip)


async def _find(trip: Trip) -> bool:
    query = {"origin": trip.wish["from"], "destination": trip.wish["to"], "date": trip.wish["date"]}
    with trip.session.turn("The group travels together, so I need one flight with room for all."):
        found = await trip.session.call("flight.search", query)
    if not found.ok:
        await decided(trip, found)
        return False
    trip.flight = found.data[-1]["no"]
    return True


async def _leader_points(trip: Trip) -> None:
    with trip.session.turn("The leader asked for an upgrade; the balance says whether it is worth asking."):
        balance = await trip.session.call("points.query", {"account": trip.wish["account"]})
    if not balance.ok:
        await decided(trip, balance)


async def _seat_all(trip: Trip) -> sb.Result | None:
    """Everybody seated, or None where people have settled what is left."""
    party = str(trip.wish["group"])
    with trip.session.turn("One request seats all of them, once I know which seats are free."):
        free = await trip.session.call("seat.map", {"flight": trip.flight, "count": len(trip.party)})
        if not free.ok:
            await decided(trip, free)
            return None
        wanted = [{"traveller": who, "seat": seat} for who, seat in zip(trip.party, free.data, strict=False)]
        seats = await trip.session.call(
            "seat.assign_batch", {"flight": trip.flight, "party": party, "assignments": wanted}
        )
    if seats.ok:
        return seats
    if seats.case is not None:
        await decided(trip, seats)
        return None
    if trip.wish.get("together"):
        return await _arrange(trip, seats)
    if seats.items and any(item.failure is None for item in seats.items):
        offer = seating.seated_in_part(trip, seats)
        await asked(trip, offer, "requested", seats)
    return None


async def _arrange(trip: Trip, seats: sb.Result) -> sb.Result | None:
    """Ask how the group wants to sit; the answer is words, not a plan."""
    offer = seating.scattered(trip)
    ended = await asked(trip, offer, "requested", seats)
    return seats if ended.action == "respond" else None


async def _passes(trip: Trip) -> str:
    with trip.session.turn("All seats are known; passes come last because they cannot be called back."):
        issued = await trip.session.call(
            "pass.issue", {"flight": trip.flight, "travellers": list(trip.party)}
        )
        if issued.ok:
            said = f"{trip.flight} on {trip.wish['date']}: seats and passes for {len(trip.party)}."
            await trip.session.call("traveller.notify", {"to": trip.wish["group"], "text": said})
    if issued.ok:
        return "done"
    if issued.case is not None:
        return state(await decided(trip, issued))
    refused = [item.key for item in issued.items if item.failure is not None]
    if len(refused) in {0, len(issued.items)}:
        return "failed"
    return await _passes_by_people(trip, issued, refused[0])


async def _passes_by_people(trip: Trip, issued: sb.Result, person: str) -> str:
    """People decide about the one who is left; what their plan could not do is put before them once more."""
    ended = await asked(trip, seating.passes_in_part(trip, person), "other", issued)
    if ended.next is None:
        return state(ended)
    offer, again = seating.still_refused(trip, person), ended.results.get("pass")
    case = await trip.session.revise(
        ended.next, title=offer.title, proposals=offer.proposals, failure=again, **offer.more
    )
    return state(await settled(trip, case))
