"""The recovery kit's public types, checked by a type checker and never run."""

from typing import Any, assert_type

import switchboard as sb
from switchboard.testing import FakeConsole

console = FakeConsole()
toolbox = sb.Toolbox(console.client(), clock=console.clock, rules=sb.load_rules(""))


@toolbox.tool(
    effect="read",
    policy=sb.Policy(attempts=2),
    fallbacks=[sb.FreshCache(), sb.Alternate("other"), sb.Degrade("x")],
)
async def search(origin: str, ctx: sb.Context) -> list[str]:
    assert_type(ctx.idempotency_key, str)
    return [origin]


toolbox.tool(effect="write", polcy="x")  # type: ignore[call-arg]
toolbox.tool(effect="write", compensate=sb.Undo("search"), reconcile="search", critical=("amount",))


async def use() -> None:
    # The decorator leaves the function as it was.
    assert_type(await search("PVG", sb.Context("c", "k", 1, 5.0, "t")), list[str])
    result = await toolbox.call("search", {"origin": "PVG"})
    assert_type(result, sb.Result)
    assert_type(result.ok, bool)
    assert_type(result.error, sb.ToolError | None)
    assert_type(result.items, tuple[sb.Item, ...])
    assert_type(result.attempts, tuple[sb.Attempt, ...])
    assert_type(result.recovery, sb.Recovery | None)
    assert_type(result.for_model(), str)
    assert_type(result.as_dict(), dict[str, Any])
    async with toolbox.session(goal="g", limits=sb.Limits(calls=3)) as session:
        assert_type(session, sb.Session)
        assert_type(session.call_sync("search"), sb.Result)
        assert_type(session.must_finalize, str | None)
        assert_type(session.finalize("x"), sb.Final)
        case = await session.hand_over(
            "t", proposals=[sb.Plan("p", "retry", "t", [sb.PlanStep("search", {})])]
        )
        settled = await session.settle(case, timeout=5)
        assert_type(settled, sb.Settled)
        assert_type(settled.results["a"], sb.Result)


sb.Plan("p", "whatever", "t")  # type: ignore[arg-type]
sb.Policy(attempt=3)  # type: ignore[call-arg]
