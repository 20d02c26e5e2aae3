from console.demo.travel.desk import DESKS
from console.demo.travel.scenarios import SCENARIOS


async def test_the_first_round_brings_every_scenario_of_a_desk_once_and_in_order(service):
    service.start()
    for desk in DESKS:
        names = [scenario.name for scenario in SCENARIOS if scenario.desk == desk]
        for _ in names:
            await service.request(desk)
        rows = service.store.rows("SELECT scenario FROM trips WHERE desk = ? ORDER BY n", desk)
        assert [row["scenario"] for row in rows] == names


async def test_the_same_seed_brings_the_same_requests(service):
    first = [await service.start().request() for _ in range(40)]
    service.store.write("DELETE FROM trips")
    service.store.write("DELETE FROM accounts")
    again = [await service.start().request() for _ in range(40)]
    assert again != [again[0]] * 40
    assert [wish["traveller"] for wish in again] == [wish["traveller"] for wish in first]


async def test_an_unknown_desk_is_told_which_desks_there_are(service):
    answer = await service.start().ask("POST", "/requests", {"desk": "night"})
    assert answer.json()["errors"][0]["constraint"] == "one of trip-booker, group-desk, refund-clerk"


async def test_a_desk_without_scenarios_gets_no_requests(service):
    answer = await service.start("plain").ask("POST", "/requests", {"desk": "refund-clerk"})
    assert (answer.status_code, answer.json()["code"]) == (404, "NO_REQUESTS")


async def test_what_was_taken_and_not_finished_is_listed_until_it_is_finished(service):
    service.start("plain")
    one, two = await service.request(), await service.request()
    await service.ask("PUT", f"/requests/{one['trip']}/state", {"state": "done"})
    listed = (await service.ask("GET", "/requests", {"desk": "trip-booker"})).json()["requests"]
    assert listed == [two]


async def test_a_request_that_does_not_exist_cannot_be_finished(service):
    answer = await service.start().ask("PUT", "/requests/TB-1/state", {"state": "done"})
    assert answer.status_code == 404


async def test_a_refund_request_is_about_a_booking_that_was_paid(service):
    service.start("refund-anomaly")
    wish = await service.request("refund-clerk")
    payments = (await service.ask("GET", "/payments", {"hold": wish["booking"]})).json()["payments"]
    assert [(p["asked"], p["captured"], p["refunded"]) for p in payments] == [("920.00", "1840.00", "0.00")]


async def test_a_refund_request_may_be_about_no_booking_at_all(service):
    service.start("refund-unknown-booking")
    wish = await service.request("refund-clerk")
    answer = await service.ask("GET", "/payments", {"hold": wish["booking"]})
    assert answer.status_code == 404
