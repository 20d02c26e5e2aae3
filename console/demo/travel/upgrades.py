"""Upgrades paid with points: asking for one, and finding out whether one was made."""

from console.demo.travel.fares import held
from console.demo.travel.flights import points_of
from console.demo.travel.store import Store, once
from console.demo.travel.wire import Answer, FieldError, Fields, Refused, Request

CABINS = {"商务舱": "business", "超级经济舱": "premium"}


def ask(store: Store, request: Request) -> Answer:
    """Move a hold to a better cabin and take the points for it."""
    request.only("hold", "flight", "account", "cabin", "points_max", "seat_pref", "notify")

    def effect() -> Answer:
        row = held(store, request.text("hold"))
        cabin = request.choice("cabin", ("premium", "business"), CABINS)
        cost = _cost_within(request, row["flight"])
        charge = _charge(store, request, request.text("account"), cost)
        mark = f"U-{charge[3:]}"
        at = request.at.isoformat()
        values = (mark, request.key, row["id"], cabin, cost, charge, at)
        store.write("INSERT INTO upgrades VALUES (?, ?, ?, ?, ?, ?, ?)", *values)
        store.write("UPDATE holds SET cabin = ? WHERE id = ?", cabin, row["id"])
        return Answer(201, {"upgrade": mark, "hold": row["id"], "cabin": cabin, "points": cost})

    return once(store, request, effect)


def _cost_within(request: Request, flight: str) -> int:
    """What the upgrade costs, or the refusal that the caller's limit is below it."""
    limit, cost = request.whole("points_max", 0, 500_000), points_of(flight)
    if cost > limit:
        hint = f"raise points_max to {cost}"
        error = FieldError("ABOVE_LIMIT", "points_max", f"at least {cost}", limit, hint)
        raise Refused(
            409, "PRICE_ABOVE_LIMIT", f"The upgrade costs {cost} points, the limit is {limit}.", error
        )
    return cost


def _charge(store: Store, request: Request, account: str, cost: int) -> str:
    """Take the points, or refuse without taking any."""
    taken = "UPDATE accounts SET points = points - ? WHERE id = ? AND points >= ?"
    if not store.write(taken, cost, account, cost):
        raise Refused(409, "POINTS_INSUFFICIENT", f"The upgrade costs {cost} points, {account} has fewer.")
    mark = f"CU-{store.number('charges')}"
    values = (mark, account, cost, request.key, request.trip, request.at.isoformat())
    store.write("INSERT INTO charges VALUES (?, 'points', ?, ?, ?, ?, ?)", *values)
    return mark


def status(store: Store, request: Request) -> Answer:
    """The upgrade made under a key, as a list: empty means that the request never arrived."""
    request.only("key")
    found: list[Fields] = []
    for row in store.rows("SELECT * FROM upgrades WHERE key = ?", request.text("key")):
        refunded = store.one("SELECT 1 FROM refunds WHERE charge = ?", row["charge"]) is not None
        state = "refunded" if refunded else "made"
        found.append(
            {
                "upgrade": row["id"],
                "hold": row["hold"],
                "cabin": row["cabin"],
                "points": row["points"],
                "state": state,
            }
        )
    return Answer(200, {"upgrades": found})
