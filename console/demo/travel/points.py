"""A traveller's points: the balance, the token that opens it, and giving points back."""

from datetime import timedelta
from sqlite3 import Row

from console.demo.travel.store import Store, once
from console.demo.travel.wire import Answer, FieldError, Refused, Request

GOOD_FOR = timedelta(hours=8)


def query(store: Store, request: Request) -> Answer:
    """The balance, for who brings a token that is still good."""
    request.only()
    row = _account(store, request)
    if request.headers.get("authorization") != f"Bearer {row['token']}":
        raise Refused(401, "UNAUTHORIZED", "This token does not belong to the account.")
    if row["expired"]:
        raise Refused(401, "TOKEN_EXPIRED", f"The token for {row['id']} has expired.")
    return Answer(200, {"account": row["id"], "points": row["points"]})


def renew(store: Store, request: Request) -> Answer:
    """The token is good again. Some accounts want the name of the person who approved it."""
    request.only("approved_by")

    def effect() -> Answer:
        row = _account(store, request)
        if row["attended"] and not request.text("approved_by", ""):
            error = FieldError(
                "CONSENT_REQUIRED",
                "approved_by",
                "the name of the person who approves the renewal",
                None,
                "ask a person",
            )
            raise Refused(
                403,
                "CONSENT_REQUIRED",
                f"A person must approve the renewal of the token for {row['id']}.",
                error,
            )
        store.write("UPDATE accounts SET expired = 0 WHERE id = ?", row["id"])
        until = (request.at + GOOD_FOR).isoformat(timespec="seconds")
        return Answer(201, {"account": row["id"], "until": until})

    return once(store, request, effect)


def refund(store: Store, request: Request) -> Answer:
    """Give the points of an upgrade back and take the upgrade away; once for every charge, whatever the key."""
    request.only("upgrade_key", "reason")

    def effect() -> Answer:
        key = request.text("upgrade_key")
        upgrade = store.one("SELECT * FROM upgrades WHERE key = ?", key)
        if upgrade is None:
            raise Refused(404, "NOTHING_TO_REFUND", f"No upgrade was made under {key}.")
        charge = store.one("SELECT * FROM charges WHERE id = ?", upgrade["charge"])
        if charge is None or store.one("SELECT 1 FROM refunds WHERE charge = ?", upgrade["charge"]):
            raise Refused(
                409, "ALREADY_REFUNDED", f"The points of {upgrade['id']} have been given back already."
            )
        mark = f"F-{4000 + store.number('refunds')}"
        store.write(
            "INSERT INTO refunds VALUES (?, ?, 'points', ?, ?, ?, ?, ?)",
            mark, charge["id"], charge["owner"], charge["amount"], request.key, charge["trip"], request.at.isoformat(),
        )  # fmt: skip
        store.write("UPDATE accounts SET points = points + ? WHERE id = ?", charge["amount"], charge["owner"])
        store.write("UPDATE holds SET cabin = 'economy' WHERE id = ?", upgrade["hold"])
        return Answer(201, {"refund": mark, "points": charge["amount"], "account": charge["owner"]})

    return once(store, request, effect)


def _account(store: Store, request: Request) -> Row:
    row = store.one("SELECT * FROM accounts WHERE id = ?", request.path["account"])
    if row is None:
        raise Refused(404, "NOT_FOUND", f"There is no account {request.path['account']}.")
    return row
