import pytest

PARTY = [
    {"traveller": f"P{n}", "seat": seat} for n, seat in enumerate(("14A", "14B", "14C", "15A", "15B"), 1)
]


@pytest.mark.parametrize(("wish", "hint"), [("靠窗", "use window"), ("靠过道但不要最后一排", "")])
async def test_a_seat_wish_in_other_words_is_refused_with_field_constraint_and_received(service, wish, hint):
    hold = await service.start().held()
    answer = await service.ask("PUT", f"/holds/{hold}/seat", {"seat_pref": wish, "traveller": "T-1"}, key="s")
    assert answer.status_code == 400
    assert answer.json()["errors"] == [
        {
            "code": "ENUM", "field": "seat_pref", "constraint": "one of window, aisle, middle, any",
            "received": wish, "hint": hint,
        }
    ]  # fmt: skip


async def test_two_travellers_never_get_the_same_seat(service):
    service.start()
    seats = []
    for trip in "ab":
        hold = await service.held(trip)
        answer = await service.ask(
            "PUT", f"/holds/{hold}/seat", {"seat_pref": "aisle", "traveller": "T"}, key=trip
        )
        seats.append(answer.json()["seat"])
    assert seats == ["11C", "11D"]


async def test_a_full_flight_has_no_seat(service):
    hold = await service.start().held()
    for row in range(11, 46):
        for letter in "AF":
            service.store.write("INSERT INTO seats VALUES ('MU5138', ?, 'X', '', '')", f"{row}{letter}")
    answer = await service.ask(
        "PUT", f"/holds/{hold}/seat", {"seat_pref": "window", "traveller": "T-1"}, key="s"
    )
    assert answer.json()["code"] == "FLIGHT_FULL"


async def test_a_released_seat_is_free_again(service):
    hold = await service.start().held()
    await service.ask("PUT", f"/holds/{hold}/seat", {"seat_pref": "window", "traveller": "T-1"}, key="s")
    await service.ask("DELETE", f"/holds/{hold}/seat")
    taken = await service.ask("PUT", "/seats/11A", {"flight": "MU5138", "traveller": "T-2"}, key="t")
    assert taken.status_code == 200


async def test_a_taken_seat_is_refused_to_others_and_kept_by_its_owner(service):
    service.start()
    mine = {"flight": "MU5138", "traveller": "T-1"}
    assert (await service.ask("PUT", "/seats/21C", mine, key="a")).status_code == 200
    assert (await service.ask("PUT", "/seats/21C", mine, key="b")).status_code == 200
    refused = await service.ask("PUT", "/seats/21C", {**mine, "traveller": "T-2"}, key="c")
    assert (refused.status_code, refused.json()["code"]) == (409, "SEAT_TAKEN")


async def test_a_batch_in_part_answers_207_with_one_answer_each(service):
    service.start("group-partial")
    trip = (await service.request("group-desk"))["trip"]
    answer = await service.ask(
        "POST", "/parties/G-1/seats", {"flight": "CA1832", "assignments": PARTY}, trip=trip
    )
    assert answer.status_code == 207
    items = answer.json()["items"]
    assert [item["status"] for item in items] == ["succeeded"] * 4 + ["failed"]
    assert items[-1]["failure"]["hint"] == "15C is free"


async def test_a_throttled_item_is_seated_when_it_alone_is_sent_again(service):
    service.start("group-items-throttled")
    trip = (await service.request("group-desk"))["trip"]
    first = await service.ask(
        "POST", "/parties/G-1/seats", {"flight": "CA1", "assignments": PARTY}, trip=trip
    )
    assert first.json()["items"][-1]["http_status"] == 429
    again = await service.ask(
        "POST", "/parties/G-1/seats", {"flight": "CA1", "assignments": PARTY[-1:]}, trip=trip
    )
    assert (again.status_code, again.json()["items"][0]["seat"]) == (200, "15B")


async def test_a_seat_somebody_else_has_fails_alone(service):
    service.start()
    await service.ask("PUT", "/seats/14A", {"flight": "CA1", "traveller": "X"}, key="x")
    answer = await service.ask("POST", "/parties/G-1/seats", {"flight": "CA1", "assignments": PARTY})
    assert [item["status"] for item in answer.json()["items"]] == ["failed"] + ["succeeded"] * 4


async def test_a_party_of_nobody_is_refused(service):
    answer = await service.start().ask("POST", "/parties/G-1/seats", {"flight": "CA1", "assignments": []})
    assert answer.json()["errors"][0]["field"] == "assignments"


async def test_the_seat_map_shows_the_first_free_seats_for_a_party(service):
    service.start()
    await service.ask("PUT", "/seats/14B", {"flight": "CA1", "traveller": "X"}, key="x")
    answer = await service.ask("GET", "/flights/CA1/seats", {"count": "4"})
    assert answer.json() == {"flight": "CA1", "free": ["14A", "14C", "14D", "14E"]}
