async def upgraded(service, wish, key="upg-1"):
    hold = await service.held(wish["trip"])
    body = {"hold": hold, "account": wish["account"], "cabin": "business", "points_max": 32000}
    return await service.ask("POST", "/upgrades", body, trip=wish["trip"], key=key)


async def test_the_balance_needs_a_token_of_the_account(service):
    service.start("plain-upgrade")
    wish = await service.request()
    good = await service.ask("GET", f"/accounts/{wish['account']}", token=wish["token"])
    bad = await service.ask("GET", f"/accounts/{wish['account']}", token="tok-other")
    assert good.json() == {"account": wish["account"], "points": 38_400}
    assert (bad.status_code, bad.json()["code"]) == (401, "UNAUTHORIZED")


async def test_an_expired_token_is_renewed_by_itself(service):
    service.start("upgrade-hangs")
    wish = await service.request()
    path = f"/accounts/{wish['account']}"
    expired = await service.ask("GET", path, token=wish["token"])
    renewed = await service.ask("POST", f"{path}/token", key="r")
    assert (expired.status_code, expired.json()["code"]) == (401, "TOKEN_EXPIRED")
    assert (renewed.status_code, renewed.json()["until"]) == (201, "2026-12-01T17:00:00+00:00")
    assert (await service.ask("GET", path, token=wish["token"])).status_code == 200


async def test_some_tokens_are_renewed_only_in_the_name_of_a_person(service):
    service.start("token-needs-person")
    wish = await service.request()
    path = f"/accounts/{wish['account']}/token"
    refused = await service.ask("POST", path, key="r")
    approved = await service.ask("POST", path, {"approved_by": "wren"}, key="r")
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (403, "approved_by")
    assert approved.status_code == 201


async def test_points_are_given_back_once_whatever_the_key(service):
    service.start("plain-upgrade")
    wish = await service.request()
    await upgraded(service, wish)
    body = {"upgrade_key": "upg-1", "reason": "not wanted"}
    first = await service.ask("POST", "/points/refunds", body, key="f1")
    replay = await service.ask("POST", "/points/refunds", body, key="f1")
    other = await service.ask("POST", "/points/refunds", body, key="f2")
    assert (first.status_code, replay.json()) == (201, first.json())
    assert (other.status_code, other.json()["code"]) == (409, "ALREADY_REFUNDED")
    ledger = await service.ledger(wish["trip"])
    assert ledger["totals"]["points_refunds"]["count"] == 1
    assert ledger["totals"]["points_refunds"]["sum"] == ledger["totals"]["points_charges"]["sum"]
    balance = await service.ask("GET", f"/accounts/{wish['account']}", token=wish["token"])
    assert balance.json()["points"] == 38_400


async def test_there_is_nothing_to_give_back_where_nothing_was_taken(service):
    answer = await service.start().ask(
        "POST", "/points/refunds", {"upgrade_key": "none", "reason": "x"}, key="f"
    )
    assert (answer.status_code, answer.json()["code"]) == (404, "NOTHING_TO_REFUND")


async def test_an_account_that_does_not_exist_is_404(service):
    assert (await service.start().ask("GET", "/accounts/A-1")).status_code == 404
