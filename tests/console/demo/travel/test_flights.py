import pytest

DAY = {"date": "2026-12-12"}


async def test_flights_of_a_served_pair_are_the_same_at_every_asking(service):
    service.start()
    query = {"from": "SHA", "to": "PEK", **DAY}
    first = (await service.ask("GET", "/flights", query)).json()["flights"]
    again = (await service.ask("GET", "/flights", query)).json()["flights"]
    assert first == again
    assert [flight["no"][:2] for flight in first] == ["MU", "CA", "CZ"]


@pytest.mark.parametrize(("origin", "destination"), [("SHA", "BJS"), ("HRB", "SYX"), ("SHA", "SHA")])
async def test_a_city_code_and_an_unserved_pair_give_an_empty_list_and_no_error(service, origin, destination):
    answer = await service.start().ask("GET", "/flights", {"from": origin, "to": destination, **DAY})
    assert (answer.status_code, answer.json()) == (200, {"flights": []})


async def test_the_airports_of_a_city_are_known(service):
    answer = await service.start().ask("GET", "/airports", {"city": "BJS"})
    assert answer.json() == {"airports": ["PEK", "PKX"]}


async def test_a_city_name_is_refused_with_its_code_as_hint(service):
    answer = await service.start().ask("GET", "/flights", {"from": "上海", "to": "PEK", **DAY})
    assert answer.json()["errors"][0] == {
        "code": "FORMAT", "field": "from", "constraint": "an IATA code: three capital letters",
        "received": "上海", "hint": "use SHA",
    }  # fmt: skip


async def test_a_day_in_another_shape_is_refused(service):
    answer = await service.start().ask("GET", "/flights", {"from": "SHA", "to": "PEK", "date": "12/12/2026"})
    assert answer.json()["errors"][0]["field"] == "date"


async def test_an_invented_field_is_named(service):
    answer = await service.start().ask(
        "GET", "/flights", {"from": "SHA", "to": "PEK", "member_no": "7", **DAY}
    )
    assert answer.json()["errors"][0]["code"] == "UNKNOWN_FIELD"
    assert answer.json()["errors"][0]["field"] == "member_no"


async def test_the_second_provider_has_the_same_flights_with_a_fee(service):
    answer = await service.start().ask("GET", "/second/offers", {"from": "SHA", "to": "PEK", **DAY})
    assert [offer["service_fee"] for offer in answer.json()["offers"]] == ["30.00"] * 3


async def test_a_flight_can_be_checked_before_it_is_paid(service):
    answer = await service.start().ask("GET", "/flights/MU5138", DAY)
    assert answer.json() == {"flight": "MU5138", "date": "2026-12-12", "status": "on time"}
