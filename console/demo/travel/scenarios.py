"""What travellers ask for, and what is going to go wrong with it: one scenario a booking request.

The agents see the wishes only. The troubles belong to the request, so that the same seed gives the same
trips whatever the order in which three agents ask.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from console.demo.travel.troubles import Trouble, twist
from console.demo.travel.wire import Fields

DOWN = Trouble(status=503)
BAD_GATEWAY = Trouble(status=502)
SLOW_DOWN = Trouble(status=429, retry_after=1)
LOST_AFTER = Trouble(hang="after")
LOST_BEFORE = Trouble(hang="before")
USUAL = 2.0  # what comes less often than this goes to people
TRIPS, GROUPS, REFUNDS = "trip-booker", "group-desk", "refund-clerk"


@dataclass(frozen=True)
class Scenario:
    """A kind of booking request: its desk, its wishes, how often it comes and the troubles of each tool."""

    name: str
    desk: str
    weight: float = 1
    wishes: Fields = field(default_factory=dict)
    troubles: Mapping[str, tuple[Trouble, ...]] = field(default_factory=dict)
    points: int = 38_400
    token: str = "valid"  # valid, expired (renews by itself), attended (a person must renew it)

    @property
    def person(self) -> bool:
        """Whether such a request usually ends before people."""
        return self.weight < USUAL


# The order is the order of the first round: what takes longest to show stands first.
SCENARIOS = (
    Scenario(
        "upgrade-hangs", TRIPS, 0.8, {"seat": "靠窗", "upgrade": True},
        {"flight.search": (DOWN, DOWN), "upgrade.request": (LOST_AFTER,)}, token="expired",
    ),
    Scenario("upgrade-lost", TRIPS, 0.4, {"upgrade": True, "seat": "aisle"}, {"upgrade.request": (LOST_BEFORE,)}),
    Scenario("no-such-route", TRIPS, 0.4, {"from": "HRB", "to": "SYX"}),
    Scenario("city-code", TRIPS, 4, {"from": "SHA", "to": "BJS", "seat": "aisle"}),
    Scenario("token-needs-person", TRIPS, 0.7, {"upgrade": True, "seat": "window"}, token="attended"),
    Scenario("card-declined", TRIPS, 0.5, {}, {"pay.capture": (twist("declined", forever=True),)}),
    Scenario("throttled", TRIPS, 3, {"seat": "any"}, {"flight.search": (SLOW_DOWN,)}),
    Scenario("seat-sentence", TRIPS, 0.5, {"seat": "靠过道但不要最后一排"}),
    Scenario("points-short", TRIPS, 0.5, {"upgrade": True, "seat": "window"}, points=9_200),
    Scenario("itinerary-breaks", TRIPS, 0.4, {"itinerary": True}, {"docs.render": (twist("incomplete", forever=True),)}),
    Scenario("captured-twice", TRIPS, 0.4, {}, {"pay.capture": (twist("doubled"),)}),
    Scenario("hotel-away", TRIPS, 4, {"hotel": True}, {"hotel.offer": (Trouble(status=503, forever=True),)}),
    Scenario("fare-gone", TRIPS, 4, {"seat": "靠过道"}, {"fare.hold": (twist("gone"),)}),
    Scenario("search-falls-back", TRIPS, 2, {}, {"flight.search": (Trouble(status=503, forever=True),)}),
    Scenario("hold-slow", TRIPS, 3, {"seat": "window"}, {"fare.hold": (LOST_AFTER,)}),
    Scenario("invented-field", TRIPS, 4, {"upgrade": True, "seat": "aisle", "member_no": "MU-88213"}),
    Scenario("plain", TRIPS, 34, {"seat": "window", "hotel": True}),
    Scenario("plain-upgrade", TRIPS, 10, {"seat": "aisle", "upgrade": True, "itinerary": True}),
    Scenario("seat-words", TRIPS, 8, {"seat": "靠窗", "forecast": True}),

    Scenario("group-partial", GROUPS, 1.5, {"size": 5}, {"seat.assign_batch": (twist("taken", forever=True),)}),
    Scenario("group-items-throttled", GROUPS, 8, {"size": 5}, {"seat.assign_batch": (twist("busy"),)}),
    Scenario("group-token", GROUPS, 0.8, {"size": 4, "upgrade": True}, token="attended"),
    Scenario("group-split", GROUPS, 0.8, {"size": 6, "together": True, "note": "尽量坐在一起"}, {"seat.assign_batch": (twist("scattered", forever=True),)}),
    Scenario("group-pass-refused", GROUPS, 0.8, {"size": 4}, {"pass.issue": (twist("document", forever=True),)}),
    Scenario("group-plain", GROUPS, 30, {"size": 4}),

    Scenario("refund-hangs", REFUNDS, 0.6, {"amount": "640.00"}, {"pay.refund": (LOST_AFTER,)}),
    Scenario("refund-over-limit", REFUNDS, 0.8, {"amount": "1840.00"}),
    Scenario("refund-anomaly", REFUNDS, 0.6, {"amount": "920.00", "doubled": True}),
    Scenario("refund-lookup-away", REFUNDS, 2, {"amount": "310.00"}, {"pay.lookup": (BAD_GATEWAY, DOWN)}),
    Scenario("refund-unknown-booking", REFUNDS, 4, {"amount": "120.00", "missing": True}),
    Scenario("refund-plain", REFUNDS, 30, {"amount": "480.00"}),
)  # fmt: skip

BY_NAME = {scenario.name: scenario for scenario in SCENARIOS}
