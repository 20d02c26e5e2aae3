async def test_a_party_that_sits_together_gets_its_passes(bench):
    world = bench("group-plain")
    await world.run("group-desk")
    assert world.states() == {"GD-1001": "done"}
    assert sorted(paper["kind"] for paper in (await world.ledger())["papers"]) == ["message"] + ["pass"] * 4


async def test_one_throttled_seat_is_sent_again_alone(bench):
    world = bench("group-items-throttled")
    await world.run("group-desk")
    batch = next(call for call in world.calls if call["tool"] == "seat.assign_batch")
    assert (batch["outcome"], batch["recovery"]["by"]) == ("recovered", "retry")
    assert [item["status"] for item in batch["items"]] == ["succeeded"] * 5
    assert world.console.cases == []


async def test_a_refused_seat_is_decided_by_people_and_the_others_keep_theirs(bench):
    world = bench("group-partial")
    world.approve_all()
    await world.run("group-desk")
    (case,) = world.console.cases
    assert case.package["title"] == "Seats for a group of 5: 4 seated, 1 refused"
    assert case.package["failure"]["class"] == "partial"
    assert case.execution == "executed"
    taken = {row["seat"] for row in world.store.rows("SELECT seat FROM seats")}
    assert taken == {"14A", "14B", "14C", "14D", "15C"}


async def test_another_seat_can_be_named_in_the_form(bench):
    world = bench("group-partial")

    def take_22a(case):
        args = dict(case.package["proposals"][0]["steps"][0]["args"])
        world.console.decide(
            case, "edit", proposal_id="A", steps=[{"id": "seat", "args": args | {"seat": "22A"}}]
        )

    world.console.on_open = take_22a
    await world.run("group-desk")
    assert "22A" in {row["seat"] for row in world.store.rows("SELECT seat FROM seats")}


async def test_a_question_of_taste_is_answered_in_words(bench):
    world = bench("group-split")
    answer = {"keep_together": False, "rows": 2}
    world.console.on_open = lambda case: world.console.decide(case, "respond", answer=answer)
    await world.run("group-desk")
    (case,) = world.console.cases
    assert case.package["question"]["response_schema"]["required"] == ["keep_together"]
    assert case.package["allowed"] == ["respond", "reject"]
    assert world.states() == {"GD-1001": "done"}


async def test_a_pass_that_is_refused_again_is_put_before_people_as_the_next_revision(bench):
    world = bench("group-pass-refused")
    world.approve_all()
    world.console.on_revise = lambda case: (
        "refused again" in case.package["title"] and world.console.decide(case)
    )
    await world.run("group-desk")
    (case,) = world.console.cases
    assert [told["status"] for told in world.console.outcomes if told["status"] != "executing"] == [
        "partial",
        "executed",
    ]
    assert (case.execution, [plan["kind"] for plan in case.package["proposals"]]) == ("executed", ["degrade"])


async def test_a_rejected_refusal_hands_the_party_over(bench):
    world = bench("group-partial")
    world.console.on_open = lambda case: world.console.decide(case, "reject", message="Call them.")
    await world.run("group-desk")
    assert world.states() == {"GD-1001": "handed_over"}
    assert (await world.ledger())["papers"] == []
