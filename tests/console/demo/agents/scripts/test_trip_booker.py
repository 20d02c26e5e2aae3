"""Every kind of trip, against the real service: what failed, who recovered it, and what people are asked."""

import pytest

from console.demo.travel.troubles import Outage, Weather


def seen(bench, tool):
    return [
        (call["outcome"], call.get("failure", {}).get("class"), call.get("recovery", {}).get("by"))
        for call in bench.calls
        if call["tool"] == tool
    ]


@pytest.mark.parametrize(
    ("scenario", "tool", "outcome"),
    [
        ("throttled", "flight.search", ("recovered", "transient", "retry")),
        ("upgrade-hangs", "flight.search", ("recovered", "transient", "retry")),
        ("search-falls-back", "flight.search", ("recovered", "transient", "fallback")),
        ("hotel-away", "hotel.offer", ("degraded", "transient", "fallback")),
        ("hold-slow", "fare.hold", ("recovered", "transient", "retry")),
        ("seat-words", "seat.select", ("recovered", "invalid_args", "rule")),
        ("upgrade-hangs", "points.query", ("recovered", "hard", "rule")),
        ("city-code", "flight.search", ("recovered", "empty", "model")),
        ("fare-gone", "fare.hold", ("recovered", "hard", "model")),
        ("invented-field", "points.query", ("recovered", "invalid_args", "model")),
        ("token-needs-person", "points.query", ("recovered", "hard", "human")),
        ("upgrade-hangs", "upgrade.request", ("recovered", "unknown_outcome", "human")),
        ("itinerary-breaks", "docs.render", ("recovered", "internal", "human")),
    ],
)
async def test_each_failure_is_recovered_by_whom_it_should_be(bench, scenario, tool, outcome):
    world = bench(scenario)
    world.approve_all()
    await world.run()
    assert seen(world, tool)[0] == outcome
    assert set(world.states().values()) == {"done"}


async def test_a_trip_without_trouble_asks_nobody(bench):
    world = bench("plain")
    await world.run()
    assert [call["outcome"] for call in world.calls] == ["succeeded"] * 7
    assert world.console.cases == []


async def test_a_question_asked_twice_in_one_trip_is_answered_once(bench):
    world = bench("seat-words")
    await world.run()
    assert [outcome for outcome, _, _ in seen(world, "weather.lookup")] == ["succeeded", "skipped"]


async def test_every_call_carries_its_reason_its_session_and_its_trace(bench):
    world = bench("plain")
    await world.run()
    assert {call["session_id"] for call in world.calls} == {"TB-1001"}
    assert len({call["trace_id"] for call in world.calls}) == 1
    assert all(call["reasoning"] for call in world.calls)


async def test_an_unanswered_upgrade_is_put_before_people_with_three_plans(bench):
    world = bench("upgrade-hangs")
    world.approve_all()
    await world.run()
    (case,) = world.console.cases
    assert case.package["trigger"] == "unknown_outcome"
    assert [(plan["id"], plan["kind"], plan["recommended"]) for plan in case.package["proposals"]] == [
        ("A", "continue", True), ("B", "compensate", False), ("C", "degrade", False),
    ]  # fmt: skip
    look, again, _ = case.package["proposals"][0]["steps"]
    failed = case.package["failure"]["call_id"]
    assert (look["reconciles"], again["run_if"]) == (failed, {"step": "look", "is": "empty"})
    assert again["args_schema"]["properties"]["points_max"]["maximum"] == 38_400
    assert case.package["goal"].startswith("为旅客")


async def test_an_upgrade_that_did_happen_is_not_sent_again(bench):
    world = bench("upgrade-hangs")
    world.approve_all("A")
    await world.run()
    ends = {step["id"]: step["status"] for step in world.console.cases[0].outcomes[-1]["steps"]}
    assert ends == {"look": "succeeded", "again": "skipped", "tell": "skipped"}
    assert (await world.ledger())["totals"]["points_charges"]["count"] == 1


async def test_an_upgrade_that_never_arrived_is_made_once_under_its_first_key(bench):
    world = bench("upgrade-lost")
    world.approve_all("A")
    await world.run()
    ends = {step["id"]: step["status"] for step in world.console.cases[0].outcomes[-1]["steps"]}
    assert ends == {"look": "empty", "again": "succeeded", "tell": "succeeded"}
    (charge,) = [each for each in (await world.ledger())["charges"] if each["kind"] == "points"]
    failed = next(call for call in world.calls if call["tool"] == "upgrade.request")
    assert charge["key"] == failed["idempotency_key"]


async def test_approving_the_compensation_gives_the_points_back_once(bench):
    world = bench("upgrade-hangs")
    world.approve_all("B")
    await world.run()
    totals = (await world.ledger())["totals"]
    assert totals["points_refunds"] == totals["points_charges"]
    assert totals["points_refunds"]["count"] == 1
    assert world.console.cases[0].execution == "executed"


async def test_edited_arguments_are_the_ones_that_run(bench):
    world = bench("upgrade-lost")

    def lower_the_limit(case):
        args = dict(case.package["proposals"][0]["steps"][1]["args"])
        edited = {"id": "again", "args": args | {"points_max": 26_500, "seat_pref": "window"}}
        world.console.decide(case, "edit", proposal_id="A", steps=[edited])

    world.console.on_open = lower_the_limit
    await world.run()
    ran = [call for call in world.calls if call["tool"] == "upgrade.request"][-1]
    assert (ran["outcome"], ran["args"]["points_max"], ran["args"]["seat_pref"]) == (
        "succeeded",
        26_500,
        "window",
    )


async def test_a_rejection_runs_nothing(bench):
    world = bench("upgrade-lost")
    world.console.on_open = lambda case: world.console.decide(case, "reject", message="Too costly.")
    await world.run()
    assert (await world.ledger())["totals"]["points_charges"]["count"] == 0
    assert "upgrade.status" not in {call["tool"] for call in world.calls}


async def test_an_answer_is_taken_as_the_seat_word(bench):
    world = bench("seat-sentence")
    answer = {"seat_pref": "middle"}
    world.console.on_open = lambda case: world.console.decide(case, "respond", answer=answer)
    await world.run()
    seats = [call for call in world.calls if call["tool"] == "seat.select"]
    assert (seats[-1]["outcome"], seats[-1]["args"]["seat_pref"]) == ("succeeded", "middle")
    assert world.console.cases[0].package["trigger"] == "repeated_failure"


async def test_five_rounds_without_a_flight_end_before_people(bench):
    world = bench("no-such-route")
    world.approve_all()
    await world.run()
    (case,) = world.console.cases
    assert case.package["trigger"] == "loop_limit"
    assert case.package["title"] == "No flights Harbin to Sanya, in five rounds"
    assert case.package["on_timeout"] == {"action": "approve", "proposal_id": "A"}
    assert {step["side_effect"] for step in case.package["proposals"][0]["steps"]} == {"read"}


@pytest.mark.parametrize(
    ("scenario", "trigger", "severity"),
    [
        ("card-declined", "payment_anomaly", "high"),
        ("captured-twice", "payment_anomaly", "critical"),
        ("points-short", "policy_conflict", "medium"),
        ("itinerary-breaks", "other", "low"),
        ("token-needs-person", "auth_failure", "medium"),
    ],
)
async def test_each_trouble_that_needs_people_says_why(bench, scenario, trigger, severity):
    world = bench(scenario)
    world.approve_all()
    await world.run()
    assert [(case.package["trigger"], case.package["severity"]) for case in world.console.cases] == [
        (trigger, severity)
    ]


async def test_what_was_taken_too_much_goes_back_and_no_more(bench):
    world = bench("captured-twice")
    world.approve_all("A")
    await world.run()
    totals = (await world.ledger())["totals"]
    assert totals["money_refunds"]["sum"] * 2 == totals["money_charges"]["sum"]


async def test_the_card_is_never_shown_to_anybody(bench):
    world = bench("card-declined")
    world.approve_all("A")
    await world.run()
    capture = next(call for call in world.calls if call["tool"] == "pay.capture")
    assert capture["args"]["card"] == "[redacted]"
    assert "card-" not in str(world.console.cases[0].package)


async def test_giving_a_booking_up_releases_seat_and_hold(bench):
    world = bench("card-declined")
    world.approve_all("C")
    await world.run()
    assert [row["state"] for row in world.store.rows("SELECT state FROM holds")] == ["released"]
    assert world.store.rows("SELECT * FROM seats") == []


async def test_a_payment_that_may_have_gone_through_is_looked_up_first(bench):
    away = Weather(outages=(Outage("psp", first_s=0, lasts_s=5, every_s=1e9),))
    world = bench("plain", weather=away)

    def after_the_outage(case):
        world.console.clock.advance(30)
        world.console.decide(case, proposal_id="A")

    world.console.on_open = after_the_outage
    await world.run()
    (case,) = world.console.cases
    assert case.package["trigger"] == "unknown_outcome"
    ends = {step["id"]: step["status"] for step in case.outcomes[-1]["steps"]}
    assert ends == {"look": "empty", "again": "succeeded"}
    assert (await world.ledger())["totals"]["money_charges"]["count"] == 1


async def test_a_seat_that_cannot_be_had_during_an_outage_is_sent_again_under_its_key(bench):
    away = Weather(outages=(Outage("dcs", first_s=0, lasts_s=5, every_s=1e9),))
    world = bench("plain", weather=away)

    def after_the_outage(case):
        world.console.clock.advance(30)
        world.console.decide(case, proposal_id="A")

    world.console.on_open = after_the_outage
    await world.run()
    first, again = [call for call in world.calls if call["tool"] == "seat.select"]
    assert again["outcome"] == "succeeded"
    assert again["idempotency_key"] == first["idempotency_key"]
