"""Every operation of the service: its address, its name as a tool, what it depends on and how long it usually takes."""

from collections.abc import Callable
from dataclasses import dataclass

from console.demo.travel import desk, extras, fares, flights, ledger, payments, points, seats, upgrades
from console.demo.travel.store import Store
from console.demo.travel.wire import Answer, Request


@dataclass(frozen=True)
class Route:
    """One operation; without a dependency it is the demo's own and no trouble touches it."""

    method: str
    pattern: str
    tool: str
    dependency: str
    run: Callable[[Store, Request], Answer]
    latency_s: float = 0.12


def _by_application(store: Store, request: Request) -> Answer:
    """Stands for the two operations that need more than rows; the application runs them itself."""
    raise NotImplementedError(type(store), request.path)


ROUTES = (
    Route("GET", "/health", "health", "", _by_application, 0),
    Route("GET", "/ledger", "ledger", "", ledger.show, 0),
    Route("POST", "/requests", "desk.next", "", _by_application, 0),
    Route("GET", "/requests", "desk.open", "", desk.open_requests, 0),
    Route("PUT", r"/requests/(?P<trip>[^/]+)/state", "desk.finish", "", desk.finish, 0),
    Route("GET", "/flights", "flight.search", "flight-api", flights.search, 0.25),
    Route("GET", "/second/offers", "flight.search_second", "flight-second", flights.search_elsewhere, 0.4),
    Route("GET", "/airports", "airport.lookup", "flight-api", flights.airports, 0.05),
    Route("POST", "/holds", "fare.hold", "fare-api", fares.hold, 0.18),
    Route("GET", r"/holds/(?P<hold>[^/]+)", "fare.show", "fare-api", fares.show, 0.06),
    Route("DELETE", r"/holds/(?P<hold>[^/]+)", "fare.release", "fare-api", fares.release, 0.1),
    Route("PUT", r"/holds/(?P<hold>[^/]+)/seat", "seat.select", "dcs", seats.select, 0.1),
    Route("DELETE", r"/holds/(?P<hold>[^/]+)/seat", "seat.release", "dcs", seats.release, 0.1),
    Route("GET", r"/flights/(?P<flight>[^/]+)/seats", "seat.map", "dcs", seats.seat_map, 0.08),
    Route("GET", r"/flights/(?P<flight>[^/]+)", "flight.check", "flight-api", flights.check, 0.06),
    Route("PUT", r"/seats/(?P<seat>[^/]+)", "seat.assign", "dcs", seats.assign, 0.12),
    Route("POST", r"/parties/(?P<party>[^/]+)/seats", "seat.assign_batch", "dcs", seats.assign_batch, 0.3),
    Route("GET", r"/accounts/(?P<account>[^/]+)", "points.query", "points-api", points.query, 0.15),
    Route("POST", r"/accounts/(?P<account>[^/]+)/token", "token.renew", "points-api", points.renew, 0.1),
    Route("POST", "/upgrades", "upgrade.request", "upgrade-api", upgrades.ask, 0.6),
    Route("GET", "/upgrades", "upgrade.status", "upgrade-api", upgrades.status, 0.2),
    Route("POST", "/points/refunds", "points.refund", "points-api", points.refund, 0.3),
    Route("POST", "/payments", "pay.capture", "psp", payments.capture, 0.35),
    Route("GET", "/payments", "pay.lookup", "psp", payments.lookup, 0.12),
    Route("POST", r"/payments/(?P<payment>[^/]+)/refunds", "pay.refund", "psp", payments.refund, 0.3),
    Route("GET", "/refunds", "pay.refund_status", "psp", payments.refund_status, 0.12),
    Route("GET", "/hotels", "hotel.offer", "hotel-api", extras.hotels, 0.2),
    Route("GET", "/cars", "car.offer", "car-api", extras.cars, 0.15),
    Route("GET", "/forecast", "weather.lookup", "weather-api", extras.forecast, 0.08),
    Route("GET", r"/itineraries/(?P<hold>[^/]+)", "docs.render", "docs-render", extras.itinerary, 0.4),
    Route("POST", "/messages", "traveller.notify", "notify", extras.message, 0.08),
    Route("POST", "/passes", "pass.issue", "dcs", extras.passes, 0.4),
)
