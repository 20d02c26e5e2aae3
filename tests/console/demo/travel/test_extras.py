import pytest

ISSUE = {"flight": "CA1832", "travellers": ["P1", "P2"]}


@pytest.mark.parametrize(
    ("path", "name"), [("/hotels", "hotels"), ("/cars", "cars"), ("/forecast", "forecast")]
)
async def test_what_a_trip_can_do_without_is_there_on_a_good_day(service, path, name):
    answer = await service.start().ask("GET", path, {"city": "PEK", "date": "2026-12-12"})
    assert answer.status_code == 200
    assert answer.json()[name]


async def test_a_pass_with_a_bad_document_fails_alone(service):
    service.start("group-pass-refused")
    trip = (await service.request("group-desk"))["trip"]
    answer = await service.ask("POST", "/passes", ISSUE, trip=trip, key="p")
    assert answer.status_code == 207
    assert [item["status"] for item in answer.json()["items"]] == ["succeeded", "failed"]


async def test_passes_for_nobody_are_refused(service):
    answer = await service.start().ask("POST", "/passes", {"flight": "CA1", "travellers": []}, key="p")
    assert answer.json()["errors"][0]["field"] == "travellers"


async def test_messages_are_papers_in_the_books(service):
    service.start()
    await service.ask("POST", "/messages", {"to": "T-1", "text": "座位 12A"}, key="m")
    assert [paper["kind"] for paper in (await service.ledger())["papers"]] == ["message"]


async def test_an_itinerary_lacks_its_terminal_on_a_bad_day_only(service):
    service.start("itinerary-breaks", "plain")
    bad, good = (await service.request())["trip"], (await service.request())["trip"]
    records = []
    for trip in (bad, good):
        hold = await service.held(trip)
        records.append((await service.ask("GET", f"/itineraries/{hold}", trip=trip)).json())
    assert ["terminal" in record for record in records] == [False, True]
    assert records[1]["terminal"] == "T1"
