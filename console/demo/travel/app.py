"""The HTTP side: one small ASGI application that matches, troubles, runs and answers."""

import asyncio
import json
import logging
import random
import re
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl

from console.demo.travel.desk import Desk
from console.demo.travel.routes import ROUTES, Route
from console.demo.travel.scenarios import BY_NAME
from console.demo.travel.store import Store
from console.demo.travel.troubles import NONE, Trouble, Weather, planned
from console.demo.travel.wire import Answer, FieldError, Fields, Refused, Request

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

KEPT_FOR = timedelta(days=1)
SWEEP_EVERY = 2_000
log = logging.getLogger(__name__)


def utc_now() -> datetime:
    """The time, with its offset."""
    return datetime.now(UTC)


@dataclass
class Pace:
    """How long things take, in seconds: the share of a route's usual latency, and how long a hung request hangs."""

    latency: float = 1.0
    hang_s: float = 12.0
    now: Callable[[], datetime] = utc_now
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


@dataclass
class Travel:
    """The travel service as an ASGI application."""

    store: Store
    desk: Desk
    weather: Weather
    pace: Pace = field(default_factory=Pace)

    def __post_init__(self) -> None:
        """Remember when the service began, which outages are counted from."""
        self._began = self.pace.now()
        self._served = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or the server's own start and stop."""
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
        elif scope["type"] == "http":
            answer = await self._answer(scope, await _body(receive))
            body, content_type = answer.encoded()
            headers = {"content-type": content_type, "content-length": str(len(body)), **answer.headers}
            pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
            await send({"type": "http.response.start", "status": answer.status, "headers": pairs})
            await send({"type": "http.response.body", "body": body})

    async def _answer(self, scope: Scope, body: bytes) -> Answer:
        try:
            route, path = _match(scope["method"], scope["path"])
            headers = {name.decode().lower(): value.decode("latin-1") for name, value in scope["headers"]}
            trouble = self._trouble(route, headers.get("x-trip-id", ""))
            args = _args(scope, body)
            request = Request(self.pace.now(), path, args, headers, trouble.twist)
            return await self._troubled(route, request, trouble)
        except Refused as refusal:
            return refusal.answer()
        except (
            asyncio.CancelledError
        ):  # the server ends while a request hangs: whether it was carried out stays open
            return Answer(504, {"code": "LOST", "detail": "The service went down.", "errors": []})
        except Exception as exc:  # noqa: BLE001 - our own bugs answer 500 in the same shape, as a server's do
            log.warning("%s %s broke: %r", scope["method"], scope["path"], exc)
            return Answer(500, {"code": "INTERNAL", "detail": f"{type(exc).__name__}: {exc}", "errors": []})

    async def _troubled(self, route: Route, request: Request, trouble: Trouble) -> Answer:
        dice = random.Random(f"{request.trip}:{route.tool}:{self._served}")  # noqa: S311 - jitter
        await self.pace.sleep(route.latency_s * self.pace.latency * dice.uniform(0.6, 1.6))
        if trouble.hang == "before":
            await self.pace.sleep(self.pace.hang_s)
            raise Refused(504, "LOST", "The request was lost on the way.")
        if trouble.status:
            return trouble.answer()
        answer = self._run(route, request)
        if trouble.hang == "after":
            await self.pace.sleep(self.pace.hang_s)
        return answer

    def _run(self, route: Route, request: Request) -> Answer:
        with self.store.transaction():
            self._served += 1
            if self._served % SWEEP_EVERY == 0:
                self.store.forget_before((request.at - KEPT_FOR).isoformat())
            if route.tool == "desk.next":
                return self.desk.next(self.store, request)
            if route.tool == "health":
                return Answer(200, {"ok": True, "uptime_s": (request.at - self._began).total_seconds()})
            return route.run(self.store, request)

    def _trouble(self, route: Route, trip: str) -> Trouble:
        """What was planned for this try of the trip, else what the weather does to it."""
        if not route.dependency:
            return NONE
        row = self.store.one("SELECT scenario FROM trips WHERE id = ?", trip)
        with self.store.transaction():
            sql = "INSERT INTO tries VALUES (?, ?, 1) ON CONFLICT (trip, tool) DO UPDATE SET n = n + 1"
            self.store.write(sql, trip, route.tool)
            counted = self.store.one("SELECT n FROM tries WHERE trip = ? AND tool = ?", trip, route.tool)
        attempt = int(counted["n"]) - 1 if counted else 0
        scenario = BY_NAME.get(row["scenario"]) if row else None
        plan = planned(scenario.troubles.get(route.tool, ()), attempt) if scenario else NONE
        if plan != NONE:
            return plan
        uptime = (self.pace.now() - self._began).total_seconds()
        return self.weather.trouble(
            dependency=route.dependency, tool=route.tool, trip=trip, attempt=attempt, uptime_s=uptime
        )


def _match(method: str, path: str) -> tuple[Route, dict[str, str]]:
    for route in ROUTES:
        if route.method == method and (match := re.fullmatch(route.pattern, path)):
            return route, match.groupdict()
    raise Refused(404, "NO_SUCH_OPERATION", f"There is no {method} {path}.")


def _args(scope: Scope, body: bytes) -> Fields:
    if scope["method"] in {"GET", "DELETE"}:
        return dict(parse_qsl(scope["query_string"].decode(), keep_blank_values=True))
    try:
        args = json.loads(body or b"{}")
    except ValueError:
        args = None
    if not isinstance(args, dict):
        error = FieldError("FORMAT", "body", "a JSON object", None, "send a JSON object")
        raise Refused(400, "FORMAT", "The body must be a JSON object.", error)
    return args


async def _body(receive: Receive) -> bytes:
    parts = []
    while True:
        message = await receive()
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(parts)


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
