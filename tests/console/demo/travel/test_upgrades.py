from console.demo.travel.flights import points_of


async def ask(service, wish, limit=32000, key="upg-1"):
    hold = await service.held(wish["trip"])
    body = {"hold": hold, "account": wish["account"], "cabin": "business", "points_max": limit}
    return await service.ask("POST", "/upgrades", body, trip=wish["trip"], key=key)


async def test_an_upgrade_takes_the_points_and_can_be_found_by_its_key(service):
    service.start("plain-upgrade")
    wish = await service.request()
    made = (await ask(service, wish)).json()
    found = (await service.ask("GET", "/upgrades", {"key": "upg-1"})).json()["upgrades"]
    assert found == [{**made, "state": "made"}]
    balance = await service.ask("GET", f"/accounts/{wish['account']}", token=wish["token"])
    assert balance.json()["points"] == 38_400 - points_of("MU5138")


async def test_an_upgrade_that_never_arrived_is_an_empty_list(service):
    answer = await service.start().ask("GET", "/upgrades", {"key": "upg-9"})
    assert (answer.status_code, answer.json()) == (200, {"upgrades": []})


async def test_a_refunded_upgrade_says_so(service):
    service.start("plain-upgrade")
    await ask(service, await service.request())
    await service.ask("POST", "/points/refunds", {"upgrade_key": "upg-1", "reason": "x"}, key="f")
    found = (await service.ask("GET", "/upgrades", {"key": "upg-1"})).json()["upgrades"]
    assert [upgrade["state"] for upgrade in found] == ["refunded"]


async def test_a_limit_below_the_price_is_refused_with_the_price(service):
    service.start("plain-upgrade")
    answer = await ask(service, await service.request(), limit=9)
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (409, "points_max")
    assert str(points_of("MU5138")) in answer.json()["errors"][0]["hint"]


async def test_too_few_points_is_a_conflict_and_takes_none(service):
    service.start("points-short")
    wish = await service.request()
    answer = await ask(service, wish)
    assert (answer.status_code, answer.json()["code"]) == (409, "POINTS_INSUFFICIENT")
    assert (await service.ledger())["charges"] == []


async def test_a_limit_that_is_no_number_is_refused(service):
    service.start("plain-upgrade")
    answer = await ask(service, await service.request(), limit="many")
    assert answer.json()["errors"][0]["constraint"] == "an integer, 0 to 500000"
