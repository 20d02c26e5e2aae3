"""Points and money: what is charged is charged once, and what nobody knows is looked up before anything else."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

import switchboard as sb
from console.demo.agents.service import Service


class Upgrade(BaseModel):
    """What an upgrade is asked for with."""

    model_config = ConfigDict(extra="forbid")

    hold: str
    flight: str
    account: str
    points_max: int
    cabin: Literal["premium", "business"] = "business"
    seat_pref: Literal["window", "aisle", "any"] = "any"
    notify: bool = True


def add_points(toolbox: sb.Toolbox, service: Service) -> None:
    """The balance, the token that opens it, upgrades and giving points back."""

    @toolbox.tool(name="token.renew", effect="idempotent_write", policy="booking", dependency="points-api")
    async def token_renew(account: str, ctx: sb.Context, approved_by: str = "") -> dict[str, Any]:
        """Make the token of an account good again; some accounts want the name of who approved it."""
        args = {"approved_by": approved_by} if approved_by else {}
        renewed: dict[str, Any] = await service.ask("POST", f"/accounts/{account}/token", args, ctx)
        return renewed

    @toolbox.tool(name="points.query", effect="read", policy="points_query", dependency="points-api")
    async def points_query(account: str, ctx: sb.Context, member_no: str | None = None) -> dict[str, Any]:
        """The points of an account."""
        args = {"member_no": member_no}
        balance: dict[str, Any] = await service.ask("GET", f"/accounts/{account}", args, ctx, account=account)
        return balance

    @toolbox.tool(
        name="points.refund", effect="idempotent_write", policy="payment_back", dependency="points-api"
    )
    async def points_refund(upgrade_key: str, reason: str, ctx: sb.Context) -> dict[str, Any]:
        """Give the points of an upgrade back, once."""
        args = {"upgrade_key": upgrade_key, "reason": reason}
        refund: dict[str, Any] = await service.ask("POST", "/points/refunds", args, ctx)
        return refund


def add_upgrades(toolbox: sb.Toolbox, service: Service) -> None:
    """An upgrade is a transaction: never sent twice by itself, looked up by its key."""

    @toolbox.tool(name="upgrade.status", effect="read", policy="fast_external", dependency="upgrade-api")
    async def upgrade_status(key: str, ctx: sb.Context) -> list[dict[str, Any]]:
        """The upgrade made under a key; nothing when the request never arrived."""
        found: list[dict[str, Any]] = (await service.ask("GET", "/upgrades", {"key": key}, ctx))["upgrades"]
        return found

    @toolbox.tool(
        name="upgrade.request",
        effect="write",
        policy="upgrade",
        dependency="upgrade-api",
        critical=("points_max",),
    )
    async def upgrade_request(wanted: Upgrade, ctx: sb.Context) -> dict[str, Any]:
        """Upgrade a held seat and take the points for it. Cannot be undone, only refunded."""
        made: dict[str, Any] = await service.ask("POST", "/upgrades", wanted.model_dump(), ctx)
        return made


def add_captures(toolbox: sb.Toolbox, service: Service) -> None:
    """Taking money, and looking at what was taken."""

    @toolbox.tool(name="pay.lookup", effect="read", policy="fast_external", dependency="psp")
    async def pay_lookup(hold: str, ctx: sb.Context) -> list[dict[str, Any]]:
        """The payments of a booking, with what was asked, taken and given back."""
        found: list[dict[str, Any]] = (await service.ask("GET", "/payments", {"hold": hold}, ctx))["payments"]
        return found

    @toolbox.tool(
        name="pay.capture",
        effect="write",
        policy="payment",
        dependency="psp",
        critical=("amount",),
        payment=True,
    )
    async def pay_capture(
        hold: str,
        amount: str,
        ctx: sb.Context,
        card: str = "",
        method: Literal["card", "desk-account"] = "card",
    ) -> dict[str, Any]:
        """Take the price of a booking from the traveller's card, or from the desk's own account."""
        args = {"hold": hold, "amount": amount, "card": card if method == "card" else method}
        captured: dict[str, Any] = await service.ask("POST", "/payments", args, ctx)
        return captured


def add_refunds(toolbox: sb.Toolbox, service: Service) -> None:
    """Giving money back, and finding out whether it was."""

    @toolbox.tool(name="pay.refund_status", effect="read", policy="fast_external", dependency="psp")
    async def pay_refund_status(key: str, ctx: sb.Context) -> list[dict[str, Any]]:
        """The refund made under a key; nothing when the request never arrived."""
        found: list[dict[str, Any]] = (await service.ask("GET", "/refunds", {"key": key}, ctx))["refunds"]
        return found

    @toolbox.tool(
        name="pay.refund",
        effect="write",
        policy="payment",
        dependency="psp",
        critical=("amount",),
    )
    async def pay_refund(
        payment: str, amount: str, reason: str, ctx: sb.Context, approved_by: str = ""
    ) -> dict[str, Any]:
        """Give money back; above the desk limit only with the name of who approved it."""
        args = {"amount": amount, "reason": reason} | ({"approved_by": approved_by} if approved_by else {})
        refund: dict[str, Any] = await service.ask("POST", f"/payments/{payment}/refunds", args, ctx)
        return refund
