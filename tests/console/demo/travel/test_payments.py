async def paid(service, trip, price="920.00"):
    hold = await service.held(trip)
    body = {"hold": hold, "amount": price, "card": "card-1"}
    return await service.ask("POST", "/payments", body, trip=trip, key=f"pay-{trip}")


async def refunded(service, payment, money, key, **more):
    return await service.ask(
        "POST", f"/payments/{payment}/refunds", {"amount": money, "reason": "x", **more}, key=key
    )


async def test_a_payment_tickets_the_hold(service):
    service.start("plain")
    answer = (await paid(service, (await service.request())["trip"])).json()
    assert (answer["asked"], answer["captured"]) == ("920.00", "920.00")
    assert (await service.ask("GET", f"/holds/{answer['hold']}")).json()["state"] == "ticketed"


async def test_a_declined_card_is_charged_nothing(service):
    service.start("card-declined")
    answer = await paid(service, (await service.request())["trip"])
    assert (answer.status_code, answer.json()["code"]) == (402, "DECLINED")
    assert (await service.ledger())["charges"] == []


async def test_a_doubled_capture_shows_in_the_answer_and_in_the_books(service):
    service.start("captured-twice")
    trip = (await service.request())["trip"]
    answer = (await paid(service, trip)).json()
    assert (answer["asked"], answer["captured"]) == ("920.00", "1840.00")
    assert (await service.ledger(trip))["totals"]["money_charges"]["sum"] == 184_000


async def test_money_is_given_back_once_for_a_payment(service):
    service.start("plain")
    payment = (await paid(service, (await service.request())["trip"])).json()["payment"]
    first = await refunded(service, payment, "920.00", "f1")
    other = await refunded(service, payment, "920.00", "f2")
    assert (first.status_code, other.status_code, other.json()["code"]) == (201, 409, "ALREADY_REFUNDED")
    assert (await service.ledger())["totals"]["money_refunds"] == {"count": 1, "sum": 92_000}


async def test_a_refund_above_the_desk_limit_needs_a_name(service):
    service.start("plain")
    payment = (await paid(service, (await service.request())["trip"], "1840.00")).json()["payment"]
    refused = await refunded(service, payment, "1840.00", "f1")
    approved = await refunded(service, payment, "1840.00", "f1", approved_by="wren")
    assert (refused.status_code, refused.json()["code"], approved.status_code) == (409, "POLICY_LIMIT", 201)


async def test_no_more_is_given_back_than_was_taken(service):
    service.start("plain")
    payment = (await paid(service, (await service.request())["trip"])).json()["payment"]
    answer = await refunded(service, payment, "920.01", "f1")
    assert (answer.status_code, answer.json()["errors"][0]["hint"]) == (409, "refund 920.00 or less")


async def test_an_amount_in_another_shape_is_refused(service):
    service.start("plain")
    payment = (await paid(service, (await service.request())["trip"])).json()["payment"]
    answer = await refunded(service, payment, "920", "f1")
    assert answer.json()["errors"][0]["constraint"] == "an amount such as 1840.00"


async def test_a_payment_that_does_not_exist_is_404(service):
    assert (await refunded(service.start(), "P-1", "1.00", "f1")).status_code == 404


async def test_a_refund_can_be_found_by_its_key_and_one_that_never_arrived_cannot(service):
    service.start("plain")
    payment = (await paid(service, (await service.request())["trip"])).json()["payment"]
    made = (await refunded(service, payment, "920.00", "f1")).json()
    found = (await service.ask("GET", "/refunds", {"key": "f1"})).json()["refunds"]
    assert [(refund["refund"], refund["amount"]) for refund in found] == [(made["refund"], "920.00")]
    assert (await service.ask("GET", "/refunds", {"key": "f2"})).json() == {"refunds": []}


async def test_the_desks_account_pays_where_the_card_is_declined(service):
    service.start("card-declined")
    trip = (await service.request())["trip"]
    hold = await service.held(trip)
    body = {"hold": hold, "amount": "920.00", "card": "desk-account"}
    answer = await service.ask("POST", "/payments", body, trip=trip, key="pay")
    assert answer.status_code == 201
