"""What goes wrong when: the trouble planned for a request, outages of a dependency, and a little noise."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from console.demo.travel.wire import Answer

GATEWAY_PAGE = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"


@dataclass(frozen=True)
class Trouble:
    """One thing that happens to one try of one operation.

    `status` answers so without doing anything; `hang` does nothing (`before`) or everything (`after`) and then
    keeps silent past any sensible timeout; `twist` is a word that the operation itself understands.
    """

    status: int = 0
    retry_after: int | None = None
    hang: Literal["", "before", "after"] = ""
    twist: str = ""
    forever: bool = False

    def answer(self) -> Answer:
        """The answer in place of the operation's own."""
        if self.status == 502:
            return Answer(502, GATEWAY_PAGE)
        if self.status == 429:
            body = {"code": "RATE_LIMITED", "detail": "Too many requests, slow down.", "errors": []}
            return Answer(429, body, {"retry-after": str(self.retry_after or 1)})
        body = {"code": "UNAVAILABLE", "detail": "The service is not available at the moment.", "errors": []}
        return Answer(self.status, body)


NONE = Trouble()


def twist(word: str, *, forever: bool = False) -> Trouble:
    """A trouble that the operation itself acts out."""
    return Trouble(twist=word, forever=forever)


def planned(troubles: Sequence[Trouble], attempt: int) -> Trouble:
    """The trouble for the attempt, counted from 0; the last one may stay for ever."""
    if attempt < len(troubles):
        return troubles[attempt]
    return troubles[-1] if troubles and troubles[-1].forever else NONE


@dataclass(frozen=True)
class Outage:
    """A dependency is away from `first_s` on for `lasts_s`, and again every `every_s`, counted from the start."""

    dependency: str
    first_s: float
    lasts_s: float
    every_s: float

    def covers(self, dependency: str, uptime_s: float) -> bool:
        """Whether the dependency is away at this moment."""
        since = uptime_s - self.first_s
        return dependency == self.dependency and since >= 0 and since % self.every_s < self.lasts_s


OUTAGES = (
    Outage("flight-api", first_s=14, lasts_s=12, every_s=86_400),
    Outage("flight-api", first_s=240, lasts_s=40, every_s=360),
    Outage("dcs", first_s=75, lasts_s=10, every_s=420),
    Outage("points-api", first_s=130, lasts_s=20, every_s=300),
    Outage("psp", first_s=200, lasts_s=20, every_s=420),
)


@dataclass(frozen=True)
class Weather:
    """Outages and background noise, the same for the same seed and the same moment."""

    seed: int = 1
    outages: Sequence[Outage] = OUTAGES
    noise: Mapping[str, float] | None = None

    def trouble(self, *, dependency: str, tool: str, trip: str, attempt: int, uptime_s: float) -> Trouble:
        """What the weather does to this try."""
        if any(outage.covers(dependency, uptime_s) for outage in self.outages):
            return Trouble(status=503)
        share = (self.noise or {}).get(tool, 0.0)
        dice = random.Random(f"{self.seed}:{trip}:{tool}:{attempt}")  # noqa: S311 - noise, not a secret
        if dice.random() >= share:
            return NONE
        return dice.choice((Trouble(status=503), Trouble(status=502), Trouble(status=429, retry_after=1)))


NOISE = {"flight.search": 0.015, "points.query": 0.02, "pay.lookup": 0.015, "hotel.offer": 0.03}
CALM = Weather(outages=())
