"""A desk with an order book and a window."""

import switchboard as sb

FREE = {"calls": None, "calls_per_tool": None}


class Desk:
    """Two reads and a write on one resource, counted."""

    def __init__(self, box: sb.Toolbox) -> None:
        self.calls: list[str] = []
        self.failures: list[BaseException | None] = []
        box.tool(effect="read", dependency="orders", policy=sb.Policy(attempts=1))(self.look)
        box.tool(effect="read", dependency="weather")(self.weather)
        box.tool(effect="write", dependency="orders", repeatable=True)(self.change)

    async def look(self, order: str) -> str:
        self.calls.append("look")
        if self.failures and (failure := self.failures.pop(0)) is not None:
            raise failure
        return order

    async def weather(self, city: str) -> str:
        self.calls.append("weather")
        return city

    async def change(self, order: str) -> str:
        self.calls.append("change")
        return order
