"""Seats: one by preference, one by number, many at once with an answer for each."""

from collections.abc import Iterator
from dataclasses import replace

from console.demo.travel.fares import held
from console.demo.travel.store import Store, once
from console.demo.travel.wire import Answer, FieldError, Fields, Refused, Request

PREFERENCES = ("window", "aisle", "middle", "any")
MEANT = {
    "靠窗": "window",
    "靠过道": "aisle",
    "中间": "middle",
    "随意": "any",
    "Window": "window",
    "Aisle": "aisle",
}
LETTERS = {"window": "AF", "aisle": "CD", "middle": "BE", "any": "ACDF"}
ROWS = range(11, 46)
PARTY_ROW = 14
TWISTS = {
    "busy": (
        429,
        FieldError("RATE_LIMITED", "seat", "one seat map change a second", None, "send this one again"),
    ),
    "taken": (409, FieldError("SEAT_TAKEN", "seat", "a free seat", None, "{near} is free")),
    "scattered": (409, FieldError("NOT_TOGETHER", "seat", "a row with a free neighbour")),
}


def select(store: Store, request: Request) -> Answer:
    """A seat by preference; the words are fixed."""
    request.only("seat_pref", "traveller", "avoid_last_row")

    def effect() -> Answer:
        wish = request.choice("seat_pref", PREFERENCES, MEANT)
        row = held(store, request.path["hold"])
        seat = next(iter(_free(store, row["flight"], LETTERS[wish])), "")
        if not seat:
            raise Refused(409, "FLIGHT_FULL", f"No {wish} seat is left on {row['flight']}.")
        _give(store, request, row["flight"], seat, row["traveller"], row["id"])
        store.write("UPDATE holds SET seat = ? WHERE id = ?", seat, row["id"])
        return Answer(200, {"hold": row["id"], "seat": seat, "pref": wish})

    return once(store, request, effect)


def seat_map(store: Store, request: Request) -> Answer:
    """The first free seats from row 14 on, as many as a party needs."""
    request.only("count")
    free = [seat for seat in _free(store, request.path["flight"], "ABCDEF") if int(seat[:-1]) >= PARTY_ROW]
    count = int(request.text("count"))
    return Answer(200, {"flight": request.path["flight"], "free": free[:count]})


def release(store: Store, request: Request) -> Answer:
    """Give the seat of a hold back. Again is the same answer."""
    row = held(store, request.path["hold"])
    store.write("DELETE FROM seats WHERE flight = ? AND seat = ?", row["flight"], row["seat"])
    store.write("UPDATE holds SET seat = '' WHERE id = ?", row["id"])
    return Answer(200, {"hold": row["id"], "seat": None})


def assign(store: Store, request: Request) -> Answer:
    """One seat by number for one traveller of a party."""
    request.only("flight", "traveller", "party")

    def effect() -> Answer:
        flight, traveller, seat = request.text("flight"), request.text("traveller"), request.path["seat"]
        row = store.one("SELECT traveller FROM seats WHERE flight = ? AND seat = ?", flight, seat)
        if row is not None and row["traveller"] != traveller:
            raise Refused(409, "SEAT_TAKEN", f"Seat {seat} on {flight} is taken.")
        _give(store, request, flight, seat, traveller, request.text("party", ""))
        return Answer(200, {"flight": flight, "seat": seat, "traveller": traveller})

    return once(store, request, effect)


def assign_batch(store: Store, request: Request) -> Answer:
    """Seats for a party: 200 when all are seated, 207 with one answer each when not. Safe to send again."""
    request.only("flight", "assignments")
    flight, wanted = request.text("flight"), request.args.get("assignments")
    if not isinstance(wanted, list) or not wanted:
        error = FieldError(
            "MISSING", "assignments", "a list of {traveller, seat}", wanted, "send at least one"
        )
        raise Refused(400, "MISSING", "There is nobody to seat.", error)
    items = [
        _one(store, request, flight, item, last=index == len(wanted) - 1) for index, item in enumerate(wanted)
    ]
    status = 200 if all(item["status"] == "succeeded" for item in items) else 207
    return Answer(status, {"party": request.path["party"], "items": items})


def _one(store: Store, request: Request, flight: str, item: Fields, *, last: bool) -> Fields:
    traveller, seat = str(item.get("traveller", "")), str(item.get("seat", ""))
    if last and request.twist in TWISTS:
        status, error = TWISTS[request.twist]
        near = next((s for s in _free(store, flight, "C") if int(s[:-1]) > PARTY_ROW), "no seat")
        return _refusal(traveller, status, replace(error, received=seat, hint=error.hint.format(near=near)))
    row = store.one("SELECT traveller FROM seats WHERE flight = ? AND seat = ?", flight, seat)
    if row is not None and row["traveller"] != traveller:
        return _refusal(traveller, 409, FieldError("SEAT_TAKEN", "seat", "a free seat", seat))
    _give(store, request, flight, seat, traveller, request.path["party"])
    return {"key": traveller, "status": "succeeded", "seat": seat}


def _refusal(traveller: str, status: int, error: FieldError) -> Fields:
    return {"key": traveller, "status": "failed", "http_status": status, "failure": vars(error)}


def _give(store: Store, request: Request, *given: str) -> None:
    """Seat somebody: flight, seat, traveller, party."""
    store.write("INSERT OR REPLACE INTO seats VALUES (?, ?, ?, ?, ?)", *given, request.at.isoformat())


def _free(store: Store, flight: str, letters: str) -> Iterator[str]:
    taken = {row["seat"] for row in store.rows("SELECT seat FROM seats WHERE flight = ?", flight)}
    return (seat for row in ROWS for letter in letters if (seat := f"{row}{letter}") not in taken)
