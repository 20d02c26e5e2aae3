"""What a trip can do without: hotels, cars, the forecast; and the papers: itinerary, boarding passes, messages."""

import json

from console.demo.travel.fares import held
from console.demo.travel.store import Store, once
from console.demo.travel.wire import Answer, FieldError, Fields, Refused, Request

TERMINALS = {"MU": "T1", "CA": "T3", "CZ": "T2"}


def hotels(store: Store, request: Request) -> Answer:
    """Hotels near an airport."""
    del store
    request.only("city", "date")
    return Answer(200, {"hotels": [{"name": f"Airport Inn {request.text('city')}", "price": "420.00"}]})


def cars(store: Store, request: Request) -> Answer:
    """Cars at an airport."""
    del store
    request.only("city", "date")
    return Answer(200, {"cars": [{"kind": "compact", "price": "210.00", "city": request.text("city")}]})


def forecast(store: Store, request: Request) -> Answer:
    """The weather on the day."""
    del store
    request.only("city", "date")
    return Answer(200, {"city": request.text("city"), "forecast": "cloudy, 4 to 11 degrees"})


def itinerary(store: Store, request: Request) -> Answer:
    """What an itinerary is made from. On a bad day the terminal is missing, which its readers do not expect."""
    request.only()
    row = held(store, request.path["hold"])
    record = {"hold": row["id"], "flight": row["flight"], "traveller": row["traveller"], "seat": row["seat"]}
    if request.twist != "incomplete":
        record["terminal"] = TERMINALS.get(row["flight"][:2], "T1")
    return Answer(200, record)


def message(store: Store, request: Request) -> Answer:
    """A message to a traveller or a party."""
    request.only("to", "text")

    def effect() -> Answer:
        return Answer(
            201, {"message": _file(store, request, "message", request.text("to"), request.text("text"))}
        )

    return once(store, request, effect)


def passes(store: Store, request: Request) -> Answer:
    """Boarding passes: 200 when all are issued, 207 with one answer each when not."""
    request.only("flight", "travellers")

    def effect() -> Answer:
        people = request.args.get("travellers")
        if not isinstance(people, list) or not people:
            error = FieldError("MISSING", "travellers", "a list of travellers", people, "send at least one")
            raise Refused(400, "MISSING", "There is nobody to issue a pass for.", error)
        items = [
            _pass(store, request, str(person), last=index == len(people) - 1)
            for index, person in enumerate(people)
        ]
        status = 200 if all(item["status"] == "succeeded" for item in items) else 207
        return Answer(status, {"items": items})

    return once(store, request, effect)


def _pass(store: Store, request: Request, person: str, *, last: bool) -> Fields:
    if last and request.twist == "document":
        failure = {
            "code": "DOCUMENT_CHECK", "field": f"{person}.document.expiry", "constraint": "valid for six months after travel",
            "received": "2026-11-30", "hint": "ask the traveller for a valid document",
        }  # fmt: skip
        return {"key": person, "status": "failed", "failure": failure}
    return {
        "key": person,
        "status": "succeeded",
        "pass": _file(store, request, "pass", person, request.text("flight")),
    }


def _file(store: Store, request: Request, kind: str, subject: str, text: str) -> str:
    mark = f"D-{100 + store.number('papers')}"
    store.write(
        "INSERT INTO papers VALUES (?, ?, ?, ?, ?, ?)",
        mark, kind, subject, json.dumps(text, ensure_ascii=False), request.trip, request.at.isoformat(),
    )  # fmt: skip
    return mark
