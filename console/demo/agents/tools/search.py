"""Looking for flights, and for what is nice to have beside them."""

from typing import Any

import switchboard as sb
from console.demo.agents.service import Service


def add_flights(toolbox: sb.Toolbox, service: Service) -> None:
    """Flight search with its second provider."""

    @toolbox.tool(name="flight.search_second", effect="read", policy="second", dependency="flight-second")
    async def flight_search_second(
        origin: str, destination: str, date: str, ctx: sb.Context
    ) -> list[dict[str, Any]]:
        """Flights of a day at the second provider, with its fee in the price."""
        args = {"from": origin, "to": destination, "date": date}
        answer = await service.ask("GET", "/second/offers", args, ctx)
        return [
            {"no": offer["flight"], "price": offer["fare"]["total"], "fee": offer["service_fee"]}
            for offer in answer["offers"]
        ]

    @toolbox.tool(
        name="flight.search", effect="read", policy="flight_search", dependency="flight-api",
        fallbacks=[sb.Alternate("flight.search_second")],
    )  # fmt: skip
    async def flight_search(
        origin: str, destination: str, date: str, ctx: sb.Context
    ) -> list[dict[str, Any]]:
        """Flights of a day between two airports, by their IATA codes."""
        args = {"from": origin, "to": destination, "date": date}
        answer = await service.ask("GET", "/flights", args, ctx)
        flights: list[dict[str, Any]] = answer["flights"]
        return flights


def add_checks(toolbox: sb.Toolbox, service: Service) -> None:
    """Whether a flight still goes, and the airports of a city."""

    @toolbox.tool(
        name="flight.check",
        effect="read",
        policy="fast_external",
        dependency="flight-api",
        fallbacks=[
            sb.Degrade("The flight was not confirmed once more: the flight service was not available.")
        ],
    )
    async def flight_check(flight: str, date: str, ctx: sb.Context) -> dict[str, Any]:
        """Whether a flight still goes as it was offered."""
        status: dict[str, Any] = await service.ask("GET", f"/flights/{flight}", {"date": date}, ctx)
        return status

    @toolbox.tool(name="airport.lookup", effect="read", policy="fast_external", dependency="flight-api")
    async def airport_lookup(city: str, ctx: sb.Context) -> list[str]:
        """The airports of a city code."""
        airports: list[str] = (await service.ask("GET", "/airports", {"city": city}, ctx))["airports"]
        return airports


def add_extras(toolbox: sb.Toolbox, service: Service) -> None:
    """Hotel, car and forecast: a trip goes on without them, and says so."""

    @toolbox.tool(
        name="hotel.offer", effect="read", policy="optional", dependency="hotel-api",
        fallbacks=[sb.Degrade("No hotel was offered: the hotel service was not available.")],
    )  # fmt: skip
    async def hotel_offer(city: str, date: str, ctx: sb.Context) -> list[dict[str, Any]]:
        """Hotels near an airport."""
        hotels: list[dict[str, Any]] = (
            await service.ask("GET", "/hotels", {"city": city, "date": date}, ctx)
        )["hotels"]
        return hotels

    @toolbox.tool(
        name="car.offer", effect="read", policy="optional", dependency="car-api",
        fallbacks=[sb.Degrade("No car was offered: the car service was not available.")],
    )  # fmt: skip
    async def car_offer(city: str, date: str, ctx: sb.Context) -> list[dict[str, Any]]:
        """Cars at an airport."""
        cars: list[dict[str, Any]] = (await service.ask("GET", "/cars", {"city": city, "date": date}, ctx))[
            "cars"
        ]
        return cars

    @toolbox.tool(name="weather.lookup", effect="read", policy="fast_external", dependency="weather-api")
    async def weather_lookup(city: str, date: str, ctx: sb.Context) -> dict[str, Any]:
        """The forecast for a day."""
        forecast: dict[str, Any] = await service.ask("GET", "/forecast", {"city": city, "date": date}, ctx)
        return forecast
