"""The inbox of booking requests: each agent's desk asks for its next one and says how it ended."""

import json
import random
from collections.abc import Sequence
from datetime import timedelta

from console.demo.travel.scenarios import REFUNDS, SCENARIOS, Scenario
from console.demo.travel.store import Store
from console.demo.travel.wire import Answer, Fields, Refused, Request

DESKS = tuple(dict.fromkeys(scenario.desk for scenario in SCENARIOS))
LETTERS = {"trip-booker": "TB", "group-desk": "GD", "refund-clerk": "RC"}
ROUTES = (
    ("SHA", "PEK"),
    ("PVG", "CAN"),
    ("PEK", "CTU"),
    ("CAN", "HGH"),
    ("SZX", "XIY"),
    ("CTU", "SHA"),
    ("HGH", "PKX"),
)
FIRST_NUMBER = 1001


class Desk:
    """Hands out requests: first every scenario of the desk once, in order, then by weight and seed."""

    def __init__(self, *, seed: int, scenarios: Sequence[Scenario] = SCENARIOS, cycle: bool = False) -> None:
        self._seed = seed
        self._scenarios = {desk: [s for s in scenarios if s.desk == desk] for desk in DESKS}
        self._cycle = cycle
        self._handed = dict.fromkeys(DESKS, 0)

    def next(self, store: Store, request: Request) -> Answer:
        """The next booking request of a desk."""
        desk = request.choice("desk", DESKS)
        if not self._scenarios[desk]:
            raise Refused(404, "NO_REQUESTS", f"No booking requests come to {desk}.")
        row = store.one(
            "SELECT coalesce(max(n), ?) + 1 AS n FROM trips WHERE desk = ?", FIRST_NUMBER - 1, desk
        )
        n = int(row["n"]) if row else FIRST_NUMBER
        scenario = self._pick(desk, n, quiet=request.args.get("quiet") is True)
        trip = f"{LETTERS[desk]}-{n}"
        body = _body(store, request, scenario, trip, random.Random(f"{self._seed}:{trip}"))  # noqa: S311 - no secret
        store.write(
            "INSERT INTO trips VALUES (?, ?, ?, ?, ?, 'open', ?)",
            trip, n, desk, scenario.name, json.dumps(body), request.at.isoformat(),
        )  # fmt: skip
        return Answer(201, body)

    def _pick(self, desk: str, n: int, *, quiet: bool) -> Scenario:
        mine = self._scenarios[desk]
        if quiet:
            mine = [scenario for scenario in mine if not scenario.person] or mine
        handed = self._handed[desk]
        self._handed[desk] += 1
        if handed < len(mine) or self._cycle:
            return mine[handed % len(mine)]
        dice = random.Random(f"{self._seed}:{desk}:{n}")  # noqa: S311 - no secret
        return dice.choices(mine, weights=[scenario.weight for scenario in mine])[0]


def open_requests(store: Store, request: Request) -> Answer:
    """What a desk has taken and not finished, oldest first: an agent that was killed goes on from here."""
    request.only("desk")
    rows = store.rows(
        "SELECT body FROM trips WHERE desk = ? AND state = 'open' ORDER BY n", request.text("desk")
    )
    return Answer(200, {"requests": [json.loads(row["body"]) for row in rows]})


def finish(store: Store, request: Request) -> Answer:
    """How a request ended, in the agent's word."""
    state = request.choice("state", ("done", "failed", "handed_over"))
    if not store.write("UPDATE trips SET state = ? WHERE id = ?", state, request.path["trip"]):
        raise Refused(404, "NOT_FOUND", f"There is no request {request.path['trip']}.")
    return Answer(200, {"trip": request.path["trip"], "state": state})


def _body(store: Store, request: Request, scenario: Scenario, trip: str, dice: random.Random) -> Fields:
    traveller = f"T-{dice.randint(2000, 9999)}"
    account, token = f"A-{traveller[2:]}-{trip}", f"tok-{trip}-1"
    store.write(
        "INSERT INTO accounts VALUES (?, ?, ?, ?, ?)",
        account, scenario.points, token, scenario.token != "valid", scenario.token == "attended",
    )  # fmt: skip
    origin, destination = dice.choice(ROUTES)
    date = (request.at + timedelta(days=dice.randint(9, 45))).date().isoformat()
    body: Fields = {
        "trip": trip, "traveller": traveller, "account": account, "token": token, "card": f"card-{dice.randint(1000, 9999)}",
        "from": origin, "to": destination, "date": date, **scenario.wishes,
    }  # fmt: skip
    if scenario.desk == REFUNDS:
        body["booking"] = _paid_booking(store, request, scenario, trip, traveller)
    if "size" in body:
        body["group"] = f"G-{dice.randint(100, 999)}"
    return body


def _paid_booking(store: Store, request: Request, scenario: Scenario, trip: str, traveller: str) -> str:
    """A booking that was paid earlier: what a refund is about. None is made where the wish is about a missing one."""
    hold = f"H-{trip[3:]}7"
    if scenario.wishes.get("missing"):
        return hold
    asked = request_amount(scenario.wishes)
    charged = asked * 2 if scenario.wishes.get("doubled") else asked
    at = request.at.isoformat()
    store.write(
        "INSERT INTO holds VALUES (?, 'MU5138', ?, 'economy', ?, 'ticketed', '', ?)",
        hold,
        traveller,
        asked,
        at,
    )
    store.write(
        "INSERT INTO charges VALUES (?, 'money', ?, ?, ?, ?, ?)",
        f"C-{trip}",
        hold,
        charged,
        f"old-{trip}",
        trip,
        at,
    )
    store.write(
        "INSERT INTO payments VALUES (?, ?, ?, ?, ?, ?)",
        f"P-{trip}",
        f"old-{trip}",
        hold,
        asked,
        f"C-{trip}",
        at,
    )
    return hold


def request_amount(wishes: Fields) -> int:
    """The amount a refund is about, in hundredths."""
    whole, part = str(wishes["amount"]).split(".")
    return int(whole) * 100 + int(part)
