"""The tools of a travel agent."""

import switchboard as sb


class Travel:
    """Tools with a world behind them, so that a test can see what really happened."""

    def __init__(self, box: sb.Toolbox) -> None:
        self.box = box
        self.booked: dict[str, str] = {}
        self.upgrades: list[str] = []
        self.refunds: list[str] = []
        self.keys: list[str] = []
        self.upgrade_fails: Exception | None = sb.HttpFailure(403, body={"code": "FORBIDDEN"})
        box.tool(effect="write", compensate="refund", reconcile="find_booking", dependency="booking")(
            self.book
        )
        box.tool(effect="idempotent_write", dependency="booking")(self.refund)
        box.tool(effect="read", dependency="booking")(self.find_booking)
        box.tool(effect="write", dependency="upgrades", reconcile="find_upgrade")(self.upgrade)
        box.tool(effect="read", dependency="upgrades")(self.find_upgrade)

    async def book(self, flight: str, ctx: sb.Context) -> dict[str, str]:
        self.booked[flight] = f"B-{flight}"
        self.keys.append(ctx.idempotency_key)
        return {"booking_id": f"B-{flight}"}

    async def refund(self, booking_id: str) -> dict[str, str]:
        self.refunds.append(booking_id)
        return {"refunded": booking_id}

    async def find_booking(self, flight: str) -> str | None:
        return self.booked.get(flight)

    async def upgrade(self, seat: str, ctx: sb.Context) -> dict[str, str]:
        self.keys.append(ctx.idempotency_key)
        if self.upgrade_fails is not None:
            raise self.upgrade_fails
        self.upgrades.append(seat)
        return {"seat": seat}

    async def find_upgrade(self, seat: str) -> str | None:
        return seat if seat in self.upgrades else None
