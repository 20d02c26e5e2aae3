"""Holding a fare, choosing seats, issuing passes, writing to travellers."""

from typing import Any

import switchboard as sb
from console.demo.agents.service import Service
from console.demo.agents.tools.batches import items


def add_holds(toolbox: sb.Toolbox, service: Service) -> None:
    """Fares are held under a key the service honours; a hold can always be given back."""

    @toolbox.tool(name="fare.release", effect="idempotent_write", policy="booking", dependency="fare-api")
    async def fare_release(hold: str, ctx: sb.Context) -> dict[str, Any]:
        """Give a hold back, and its seat with it."""
        released: dict[str, Any] = await service.ask("DELETE", f"/holds/{hold}", {}, ctx)
        return released

    @toolbox.tool(
        name="fare.hold",
        effect="idempotent_write",
        policy="booking",
        dependency="fare-api",
        compensate="fare.release",
    )
    async def fare_hold(
        flight: str, traveller: str, ctx: sb.Context, cabin: str = "economy"
    ) -> dict[str, Any]:
        """Hold one seat's fare for four hours."""
        args = {"flight": flight, "traveller": traveller, "cabin": cabin}
        held: dict[str, Any] = await service.ask("POST", "/holds", args, ctx)
        return held

    @toolbox.tool(name="fare.show", effect="read", policy="fast_external", dependency="fare-api")
    async def fare_show(hold: str, ctx: sb.Context) -> dict[str, Any]:
        """A booking as it stands."""
        shown: dict[str, Any] = await service.ask("GET", f"/holds/{hold}", {}, ctx)
        return shown


def add_seats(toolbox: sb.Toolbox, service: Service) -> None:
    """Seats by preference."""

    @toolbox.tool(name="seat.release", effect="idempotent_write", policy="booking", dependency="dcs")
    async def seat_release(hold: str, ctx: sb.Context) -> dict[str, Any]:
        """Give the seat of a hold back."""
        released: dict[str, Any] = await service.ask("DELETE", f"/holds/{hold}/seat", {}, ctx)
        return released

    @toolbox.tool(
        name="seat.select", effect="idempotent_write", policy="seat_selection", dependency="dcs",
        compensate="seat.release", repair=True,
    )  # fmt: skip
    async def seat_select(
        hold: str,
        seat_pref: str,
        traveller: str,
        ctx: sb.Context,
        avoid_last_row: bool | None = None,  # noqa: FBT001 - a field of the service
    ) -> dict[str, Any]:
        """A seat by preference: window, aisle, middle or any."""
        args = {"seat_pref": seat_pref, "traveller": traveller, "avoid_last_row": avoid_last_row}
        seat: dict[str, Any] = await service.ask("PUT", f"/holds/{hold}/seat", args, ctx)
        return seat


def add_parties(toolbox: sb.Toolbox, service: Service) -> None:
    """Seats by number: what is free, for one of a party, and for all of it."""

    @toolbox.tool(name="seat.map", effect="read", policy="fast_external", dependency="dcs")
    async def seat_map(flight: str, count: int, ctx: sb.Context) -> list[str]:
        """The first free seats of a flight, as many as a party needs."""
        free: list[str] = (await service.ask("GET", f"/flights/{flight}/seats", {"count": count}, ctx))[
            "free"
        ]
        return free

    @toolbox.tool(name="seat.assign", effect="idempotent_write", policy="booking", dependency="dcs")
    async def seat_assign(
        flight: str, seat: str, traveller: str, party: str, ctx: sb.Context
    ) -> dict[str, Any]:
        """One seat by number, for one traveller of a party."""
        args = {"flight": flight, "traveller": traveller, "party": party}
        given: dict[str, Any] = await service.ask("PUT", f"/seats/{seat}", args, ctx)
        return given

    @toolbox.tool(
        name="seat.assign_batch",
        effect="idempotent_write",
        policy="booking",
        dependency="dcs",
        batch="assignments",
        batch_key=lambda item: str(item["traveller"]),
    )
    async def seat_assign_batch(
        flight: str, party: str, assignments: list[dict[str, str]], ctx: sb.Context
    ) -> sb.Items:
        """Seats for a party; each traveller gets an answer of their own."""
        args = {"flight": flight, "assignments": assignments}
        return items(await service.ask("POST", f"/parties/{party}/seats", args, ctx))


def add_papers(toolbox: sb.Toolbox, service: Service) -> None:
    """Boarding passes, itineraries and messages."""

    @toolbox.tool(
        name="pass.issue", effect="idempotent_write", policy="booking", dependency="dcs", batch="travellers"
    )
    async def pass_issue(flight: str, travellers: list[str], ctx: sb.Context) -> sb.Items:
        """Boarding passes; each traveller gets an answer of their own."""
        return items(await service.ask("POST", "/passes", {"flight": flight, "travellers": travellers}, ctx))

    @toolbox.tool(name="docs.render", effect="read", policy="internal_api", dependency="docs-render")
    async def docs_render(hold: str, ctx: sb.Context) -> dict[str, Any]:
        """The itinerary as a document."""
        record = await service.ask("GET", f"/itineraries/{hold}", {}, ctx)
        text = (
            f"{record['flight']} from terminal {record['terminal']}, seat {record['seat'] or 'at the gate'}"
        )
        return {"hold": hold, "pages": 1, "text": text}

    @toolbox.tool(
        name="traveller.notify",
        effect="idempotent_write",
        policy="booking",
        dependency="notify",
        repeatable=True,
    )
    async def traveller_notify(to: str, text: str, ctx: sb.Context) -> dict[str, Any]:
        """A message to a traveller or a party."""
        sent: dict[str, Any] = await service.ask("POST", "/messages", {"to": to, "text": text}, ctx)
        return sent
