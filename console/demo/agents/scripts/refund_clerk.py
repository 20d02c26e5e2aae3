"""The refund clerk: looks a booking's payment up and gives back what is owed, once."""

from console.demo.agents.plans import money
from console.demo.agents.scripts.people import asked, decided, state
from console.demo.agents.trip import Trip


async def give_back(trip: Trip) -> str:
    """Run one refund request to its end: done, failed or handed_over."""
    trip.hold = str(trip.wish["booking"])
    with trip.session.turn("Before anything goes back I look at what was really taken."):
        payments = await trip.session.call("pay.lookup", {"hold": trip.hold})
    if not payments.ok:
        return state(await decided(trip, payments))
    payment = payments.data[0]
    trip.payment, trip.price = payment["payment"], payment["asked"]
    if payment["captured"] != payment["asked"]:
        offer = money.captured_too_much(trip, payment["asked"], payment["captured"])
        return state(await asked(trip, offer, "payment_anomaly", payments))
    return await _refund(trip)


async def _refund(trip: Trip) -> str:
    amount = str(trip.wish["amount"])
    args = {"payment": trip.payment, "amount": amount, "reason": "cancelled by the traveller"}
    with trip.session.turn(f"{amount} was taken once and nothing has been given back, so the refund is due."):
        refunded = await trip.session.call("pay.refund", args)
        if refunded.ok:
            await trip.session.call(
                "traveller.notify", {"to": trip.traveller, "text": f"Your refund of {amount} is on its way."}
            )
    if refunded.ok:
        return "done"
    if refunded.error is not None and refunded.error.code == "POLICY_LIMIT":
        return state(await asked(trip, money.over_the_limit(trip, amount), "policy_conflict", refunded))
    return state(await decided(trip, refunded))
