import asyncio


async def test_an_unknown_operation_is_refused_in_the_one_shape(service):
    answer = await service.start().ask("GET", "/trains")
    assert answer.status_code == 404
    assert answer.json() == {"code": "NO_SUCH_OPERATION", "detail": "There is no GET /trains.", "errors": []}


async def test_a_body_that_is_no_object_is_named_as_such(service):
    service.start()
    answer = await service.client.post("/holds", content=b"[1")
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "body")


async def test_a_read_that_is_planned_to_fail_twice_recovers_at_the_third_try(service):
    service.start("upgrade-hangs")
    trip = (await service.request())["trip"]
    query = {"from": "SHA", "to": "PEK", "date": "2026-12-12"}
    answers = [await service.ask("GET", "/flights", query, trip=trip) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [503, 503, 200]
    assert len(answers[-1].json()["flights"]) == 3


async def test_throttling_says_how_long_to_wait(service):
    service.start("throttled")
    trip = (await service.request())["trip"]
    answer = await service.ask("GET", "/flights", trip=trip)
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "1")


async def test_a_hung_upgrade_has_charged_the_points_before_it_answers(service):
    service.start("upgrade-hangs")
    wish = await service.request()
    hold = await service.held(wish["trip"])
    body = {"hold": hold, "account": wish["account"], "cabin": "business", "points_max": 32000}
    waiting = asyncio.create_task(service.ask("POST", "/upgrades", body, trip=wish["trip"], key="upg-1"))
    await service.hung.wait()
    assert not waiting.done()
    charges = (await service.ledger(wish["trip"]))["charges"]
    assert [(charge["kind"], charge["key"]) for charge in charges] == [("points", "upg-1")]
    service.answer_now.set()
    assert (await waiting).status_code == 201


async def test_a_request_lost_on_the_way_has_charged_nothing(service):
    service.start("upgrade-lost")
    wish = await service.request()
    hold = await service.held(wish["trip"])
    service.answer_now.set()
    body = {"hold": hold, "account": wish["account"], "cabin": "business", "points_max": 32000}
    lost = await service.ask("POST", "/upgrades", body, trip=wish["trip"], key="upg-1")
    assert lost.status_code == 504
    assert (await service.ledger())["charges"] == []
    again = await service.ask("POST", "/upgrades", body, trip=wish["trip"], key="upg-1")
    assert again.status_code == 201


async def test_a_request_that_hangs_when_the_service_ends_is_told_that_nobody_knows(service):
    service.start("upgrade-hangs")
    wish = await service.request()
    hold = await service.held(wish["trip"])
    body = {"hold": hold, "account": wish["account"], "cabin": "business", "points_max": 32000}
    waiting = asyncio.create_task(service.ask("POST", "/upgrades", body, trip=wish["trip"], key="upg-1"))
    await service.hung.wait()
    waiting.cancel()
    answer = await waiting
    assert (answer.status_code, answer.json()["code"]) == (504, "LOST")


async def test_a_bug_of_the_service_answers_500_with_the_exception_named(service):
    service.start().store.write("DROP TABLE holds")
    answer = await service.ask("GET", "/holds/H-1")
    assert answer.status_code == 500
    assert answer.json() == {
        "code": "INTERNAL",
        "detail": "OperationalError: no such table: holds",
        "errors": [],
    }


async def test_health_tells_how_long_the_service_is_up(service):
    service.start().pass_time(7)
    assert (await service.ask("GET", "/health")).json() == {"ok": True, "uptime_s": 7.0}
