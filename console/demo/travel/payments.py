"""Money: capturing a payment, looking it up, and giving it back."""

from sqlite3 import Row

from console.demo.travel.fares import held
from console.demo.travel.store import Store, once
from console.demo.travel.wire import Answer, FieldError, Fields, Refused, Request, amount

DESK_LIMIT = 1_500_00


def capture(store: Store, request: Request) -> Answer:
    """Take the price of a hold from a card and ticket it."""
    request.only("hold", "amount", "card")

    def effect() -> Answer:
        row, asked = held(store, request.text("hold")), request.money("amount")
        if request.twist == "declined" and request.text("card") != "desk-account":
            raise Refused(402, "DECLINED", "The bank declined the card (51, insufficient funds).")
        taken = asked * 2 if request.twist == "doubled" else asked
        mark, at = f"P-{9000 + store.number('payments')}", request.at.isoformat()
        store.write(
            "INSERT INTO charges VALUES (?, 'money', ?, ?, ?, ?, ?)",
            f"C-{mark}",
            row["id"],
            taken,
            request.key,
            request.trip,
            at,
        )
        store.write(
            "INSERT INTO payments VALUES (?, ?, ?, ?, ?, ?)",
            mark,
            request.key,
            row["id"],
            asked,
            f"C-{mark}",
            at,
        )
        store.write("UPDATE holds SET state = 'ticketed' WHERE id = ?", row["id"])
        return Answer(
            201, {"payment": mark, "hold": row["id"], "asked": amount(asked), "captured": amount(taken)}
        )

    return once(store, request, effect)


def lookup(store: Store, request: Request) -> Answer:
    """The payments of a booking with what has been given back."""
    request.only("hold")
    row = held(store, request.text("hold"))
    rows = store.rows("SELECT * FROM payments WHERE hold = ?", row["id"])
    return Answer(200, {"payments": [_shown(store, payment) for payment in rows]})


def refund(store: Store, request: Request) -> Answer:
    """Give money back, once for a payment; above the desk limit only with the name of who approved it."""
    request.only("amount", "reason", "approved_by")

    def effect() -> Answer:
        payment = store.one("SELECT * FROM payments WHERE id = ?", request.path["payment"])
        if payment is None:
            raise Refused(404, "NOT_FOUND", f"There is no payment {request.path['payment']}.")
        asked, charge = request.money("amount"), _charge(store, payment)
        if store.one("SELECT 1 FROM refunds WHERE charge = ?", charge["id"]):
            raise Refused(409, "ALREADY_REFUNDED", f"Payment {payment['id']} has been refunded already.")
        if asked > charge["amount"]:
            most = amount(charge["amount"])
            error = FieldError("RANGE", "amount", f"at most {most}", amount(asked), f"refund {most} or less")
            raise Refused(409, "ABOVE_PAYMENT", f"Only {most} was taken.", error)
        if asked > DESK_LIMIT and not request.text("approved_by", ""):
            error = FieldError(
                "POLICY_LIMIT",
                "amount",
                f"at most {amount(DESK_LIMIT)} without approval",
                amount(asked),
                "ask a person",
            )
            raise Refused(
                409, "POLICY_LIMIT", f"A refund of {amount(asked)} needs a person's approval.", error
            )
        mark = f"F-{4000 + store.number('refunds')}"
        store.write(
            "INSERT INTO refunds VALUES (?, ?, 'money', ?, ?, ?, ?, ?)",
            mark, charge["id"], payment["hold"], asked, request.key, charge["trip"], request.at.isoformat(),
        )  # fmt: skip
        return Answer(201, {"refund": mark, "payment": payment["id"], "amount": amount(asked)})

    return once(store, request, effect)


def refund_status(store: Store, request: Request) -> Answer:
    """The refund made under a key, as a list: empty means that the request never arrived."""
    request.only("key")
    rows = store.rows("SELECT * FROM refunds WHERE key = ?", request.text("key"))
    found = [{"refund": row["id"], "amount": amount(row["amount"]), "at": row["at"]} for row in rows]
    return Answer(200, {"refunds": found})


def _charge(store: Store, payment: Row) -> Row:
    row = store.one("SELECT * FROM charges WHERE id = ?", payment["charge"])
    if row is None:
        raise Refused(404, "NOT_FOUND", f"Nothing was taken under {payment['id']}.")
    return row


def _shown(store: Store, payment: Row) -> Fields:
    back = store.one("SELECT amount FROM refunds WHERE charge = ?", payment["charge"])
    return {
        "payment": payment["id"], "asked": amount(payment["asked"]), "captured": amount(_charge(store, payment)["amount"]),
        "refunded": amount(back["amount"]) if back else "0.00",
    }  # fmt: skip
