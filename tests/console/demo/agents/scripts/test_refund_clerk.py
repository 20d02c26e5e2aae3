import pytest


async def test_a_refund_in_doubt_is_looked_up_and_not_paid_twice(bench):
    world = bench("refund-hangs")
    world.approve_all()
    await world.run("refund-clerk")
    (case,) = world.console.cases
    assert case.package["trigger"] == "unknown_outcome"
    assert (await world.ledger())["totals"]["money_refunds"] == {"count": 1, "sum": 64_000}


async def test_a_refund_above_the_limit_carries_the_name_of_who_approved_it(bench):
    world = bench("refund-over-limit")
    world.approve_all()
    await world.run("refund-clerk")
    (case,) = world.console.cases
    assert case.package["trigger"] == "policy_conflict"
    paid = [call for call in world.calls if call["tool"] == "pay.refund"][-1]
    assert paid["args"]["approved_by"] == "shift lead"
    assert (await world.ledger())["totals"]["money_refunds"]["sum"] == 184_000


async def test_a_payment_that_was_taken_twice_is_an_anomaly(bench):
    world = bench("refund-anomaly")
    world.approve_all()
    await world.run("refund-clerk")
    assert [case.package["trigger"] for case in world.console.cases] == ["payment_anomaly"]
    assert (await world.ledger())["totals"]["money_refunds"]["sum"] == 92_000


@pytest.mark.parametrize(
    ("scenario", "state"),
    [("refund-plain", "done"), ("refund-lookup-away", "done"), ("refund-unknown-booking", "failed")],
)
async def test_ordinary_refunds_ask_nobody(bench, scenario, state):
    world = bench(scenario)
    await world.run("refund-clerk")
    assert world.states() == {"RC-1001": state}
    assert world.console.cases == []
