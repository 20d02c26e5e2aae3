"""Upgrades paid with points: asking for one, and finding out whether one was made."""

from console.demo.travel.fares import held
from console.demo.travel.flights import points_of
from console.demo.travel.store import Store, once
from console.demo.travel.wire import Answer, FieldError, Fields, Refused, Request


def ask(store: Store, request: Request) -> Answer:
    """Move a hold to a better cabin and take the points for it."""
    request.only("hold", "flight", "account", "cabin", "points_max", "seat_pref", "notify")

    def effect() -> Answer:
        row = held(store, request.text("hold"))
        cabin = request.choice(
            "cabin", ("premium", "business"), {"商务舱": "business", "超级经济舱": "premium"}
        )
        limit, cost = request.whole("points_max", 0, 500_000), points_of(row["flight"])
        if cost > limit:
            error = FieldError(
                "ABOVE_LIMIT", "points_max", f"at least {cost}", limit, f"raise points_max to {cost}"
            )
            raise Refused(
                409, "PRICE_ABOVE_LIMIT", f"The upgrade costs {cost} points, the limit is {limit}.", error
            )
        account = request.text("account")
        if not store.write(
            "UPDATE accounts SET points = points - ? WHERE id = ? AND points >= ?", cost, account, cost
        ):
            raise Refused(
                409, "POINTS_INSUFFICIENT", f"The upgrade costs {cost} points, {account} has fewer."
            )
        mark = f"U-{store.number('upgrades')}"
        at = request.at.isoformat()
        store.write(
            "INSERT INTO charges VALUES (?, 'points', ?, ?, ?, ?, ?)",
            f"C-{mark}",
            account,
            cost,
            request.key,
            request.trip,
            at,
        )
        store.write(
            "INSERT INTO upgrades VALUES (?, ?, ?, ?, ?, ?, ?)",
            mark,
            request.key,
            row["id"],
            cabin,
            cost,
            f"C-{mark}",
            at,
        )
        store.write("UPDATE holds SET cabin = ? WHERE id = ?", cabin, row["id"])
        return Answer(201, {"upgrade": mark, "hold": row["id"], "cabin": cabin, "points": cost})

    return once(store, request, effect)


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
