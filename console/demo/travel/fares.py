"""Holding a fare, giving it back, and looking at it."""

from datetime import timedelta
from sqlite3 import Row

from console.demo.travel.flights import price_of
from console.demo.travel.store import Store, once
from console.demo.travel.wire import Answer, Refused, Request, amount

HELD_FOR = timedelta(hours=4)


def hold(store: Store, request: Request) -> Answer:
    """Hold a seat's fare for four hours."""
    request.only("flight", "traveller", "cabin")

    def effect() -> Answer:
        flight, traveller = request.text("flight"), request.text("traveller")
        cabin = request.choice("cabin", ("economy", "business"), {"经济舱": "economy", "商务舱": "business"})
        if request.twist == "gone":
            raise Refused(409, "FARE_GONE", f"The last {cabin} fare on {flight} has been sold.")
        mark = f"H-{77000 + store.number('holds')}"
        store.write(
            "INSERT INTO holds VALUES (?, ?, ?, ?, ?, 'held', '', ?)",
            mark, flight, traveller, cabin, price_of(flight), request.at.isoformat(),
        )  # fmt: skip
        until = (request.at + HELD_FOR).isoformat(timespec="seconds")
        return Answer(
            201, {"hold": mark, "flight": flight, "until": until, "price": amount(price_of(flight))}
        )

    return once(store, request, effect)


def release(store: Store, request: Request) -> Answer:
    """Give a hold back; its seat goes with it. Again is the same answer."""
    row = held(store, request.path["hold"])
    store.write("UPDATE holds SET state = 'released', seat = '' WHERE id = ?", row["id"])
    store.write("DELETE FROM seats WHERE flight = ? AND seat = ?", row["flight"], row["seat"])
    return Answer(200, {"hold": row["id"], "state": "released"})


def show(store: Store, request: Request) -> Answer:
    """A hold as it stands."""
    row = held(store, request.path["hold"])
    names = ("flight", "traveller", "cabin", "state", "seat")
    return Answer(
        200, {"hold": row["id"], **{name: row[name] for name in names}, "price": amount(row["price"])}
    )


def held(store: Store, mark: str) -> Row:
    """The hold's row, or the refusal that there is none."""
    row = store.one("SELECT * FROM holds WHERE id = ?", mark)
    if row is None:
        raise Refused(404, "NOT_FOUND", f"There is no booking {mark}.")
    return row
