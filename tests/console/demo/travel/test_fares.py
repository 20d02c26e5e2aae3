async def test_a_hold_can_be_looked_at_and_given_back_with_its_seat(service):
    hold = await service.start().held()
    await service.ask("PUT", f"/holds/{hold}/seat", {"seat_pref": "window", "traveller": "T-1"}, key="s")
    assert (await service.ask("GET", f"/holds/{hold}")).json()["seat"] == "11A"
    released = await service.ask("DELETE", f"/holds/{hold}")
    assert released.json() == {"hold": hold, "state": "released"}
    assert (await service.ask("GET", f"/holds/{hold}")).json()["state"] == "released"
    assert service.store.rows("SELECT * FROM seats") == []


async def test_a_fare_that_is_gone_stays_a_refusal_of_that_flight(service):
    service.start("fare-gone")
    trip = (await service.request())["trip"]
    body = {"flight": "MU5138", "traveller": "T-1", "cabin": "economy"}
    gone = await service.ask("POST", "/holds", body, trip=trip, key="a")
    other = await service.ask("POST", "/holds", {**body, "flight": "CA1831"}, trip=trip, key="b")
    assert (gone.status_code, gone.json()["code"], other.status_code) == (409, "FARE_GONE", 201)


async def test_a_booking_that_does_not_exist_is_404(service):
    answer = await service.start().ask("GET", "/holds/H-1")
    assert (answer.status_code, answer.json()["detail"]) == (404, "There is no booking H-1.")
