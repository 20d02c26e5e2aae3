async def test_the_books_of_one_trip_leave_out_the_others(service):
    service.start("plain")
    trips = [(await service.request())["trip"] for _ in range(2)]
    for trip in trips:
        hold = await service.held(trip)
        await service.ask(
            "POST", "/payments", {"hold": hold, "amount": "10.00", "card": "c"}, trip=trip, key=trip
        )
    assert (await service.ledger())["totals"]["money_charges"] == {"count": 2, "sum": 2_000}
    one = await service.ledger(trips[0])
    assert one["totals"]["money_charges"] == {"count": 1, "sum": 1_000}
    assert [charge["key"] for charge in one["charges"]] == [trips[0]]
