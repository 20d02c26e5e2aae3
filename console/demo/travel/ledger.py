"""The books: every charge and every refund, so that anybody can prove what happened once and what twice."""

from console.demo.travel.store import Store
from console.demo.travel.wire import Answer, Fields, Request

SHOWN = 500
TABLES = ("charges", "refunds", "papers")


def show(store: Store, request: Request) -> Answer:
    """Charges, refunds and papers, newest first, of one trip or of all; the totals count all of the selection."""
    request.only("trip")
    trip = request.text("trip", "")
    rows = {table: _rows(store, table, trip) for table in TABLES}
    totals = {
        f"{kind}_{table}": _total(store, table, kind, trip)
        for table in TABLES[:2]
        for kind in ("points", "money")
    }
    return Answer(200, {**rows, "totals": totals})


def _rows(store: Store, table: str, trip: str) -> list[Fields]:
    sql = f"SELECT * FROM {table} WHERE ? IN ('', trip) ORDER BY at DESC, id LIMIT {SHOWN}"  # noqa: S608 - our own names
    return [dict(row) for row in store.rows(sql, trip)]


def _total(store: Store, table: str, kind: str, trip: str) -> Fields:
    sql = f"SELECT count(*), coalesce(sum(amount), 0) FROM {table} WHERE ? IN ('', trip) AND kind = ?"  # noqa: S608 - our own names
    count, total = store.rows(sql, trip, kind)[0]
    return {"count": count, "sum": total}
