"""Flight search at two providers, and the airports of a city."""

import hashlib
from datetime import date

from console.demo.travel.store import Store
from console.demo.travel.wire import Answer, FieldError, Fields, Refused, Request, amount

AIRPORTS = ("SHA", "PVG", "PEK", "PKX", "CAN", "SZX", "CTU", "HGH", "XIY", "HRB", "SYX")
CITIES = {"BJS": ("PEK", "PKX"), "SIA": ("XIY",), "TYO": ("HND", "NRT")}
CITY_NAMES = {
    "上海": "SHA",
    "北京": "PEK",
    "广州": "CAN",
    "深圳": "SZX",
    "成都": "CTU",
    "杭州": "HGH",
    "西安": "XIY",
}
UNSERVED = {("HRB", "SYX"), ("SYX", "HRB")}
CARRIERS = ("MU", "CA", "CZ")


def search(store: Store, request: Request) -> Answer:
    """Flights of a day. A city code is well formed and flies nowhere: an empty list, not an error."""
    del store
    request.only("from", "to", "date", "cabin")
    return Answer(200, {"flights": flights(_code(request, "from"), _code(request, "to"), _day(request))})


def search_elsewhere(store: Store, request: Request) -> Answer:
    """The other provider: the same flights at its own price, in its own words."""
    del store
    request.only("from", "to", "date")
    found = flights(_code(request, "from"), _code(request, "to"), _day(request))
    offers = [
        {"flight": f["no"], "fare": {"currency": "CNY", "total": f["price"]}, "service_fee": "30.00"}
        for f in found
    ]
    return Answer(200, {"offers": offers, "provider": "second"})


def check(store: Store, request: Request) -> Answer:
    """Whether a flight still goes as it was offered."""
    del store
    request.only("date")
    return Answer(200, {"flight": request.path["flight"], "date": _day(request), "status": "on time"})


def airports(store: Store, request: Request) -> Answer:
    """The airports of a city code."""
    del store
    request.only("city")
    return Answer(200, {"airports": list(CITIES.get(request.text("city"), ()))})


def flights(origin: str, destination: str, day: str) -> list[Fields]:
    """Three flights a day on every pair of airports that is served, the same at every asking."""
    served = origin in AIRPORTS and destination in AIRPORTS and origin != destination
    if not served or (origin, destination) in UNSERVED:
        return []
    return [_flight(origin, destination, day, index) for index in range(3)]


def price_of(flight: str) -> int:
    """The fare of a flight in hundredths; the number decides it."""
    return (640 + _number(flight, "fare") % 900) * 100


def points_of(flight: str) -> int:
    """What an upgrade on the flight costs in points."""
    return 22_000 + _number(flight, "points") % 5 * 1_000


def _flight(origin: str, destination: str, day: str, index: int) -> Fields:
    number = _number(f"{origin}{destination}{day}{index}", "flight")
    no = f"{CARRIERS[index]}{5000 + number % 900}"
    hour = 7 + index * 4 + number % 3
    return {
        "no": no, "dep": f"{origin} {hour:02d}:00", "arr": f"{destination} {hour + 2:02d}:20",
        "cabin": ["economy", "business"], "price": amount(price_of(no)),
    }  # fmt: skip


def _number(text: str, salt: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{salt}:{text}".encode()).digest()[:4])


def _code(request: Request, name: str) -> str:
    value = request.text(name)
    if len(value) == 3 and value.isascii() and value.isupper():
        return value
    meant = CITY_NAMES.get(value, "")
    hint = f"use {meant}" if meant else "use the airport's IATA code"
    error = FieldError("FORMAT", name, "an IATA code: three capital letters", value, hint)
    raise Refused(400, "FORMAT", f"The value {value} of {name} is not an IATA code.", error)


def _day(request: Request) -> str:
    value = request.text("date")
    try:
        return date.fromisoformat(value).isoformat()
    except ValueError:
        error = FieldError("FORMAT", "date", "a day as YYYY-MM-DD", value, "write the day as YYYY-MM-DD")
        raise Refused(400, "FORMAT", f"The value {value} is not a day.", error) from None
