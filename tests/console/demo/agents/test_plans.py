import jsonschema_rs
import pytest

from console.demo.travel.scenarios import SCENARIOS

ASKING = [scenario for scenario in SCENARIOS if scenario.person]


@pytest.mark.parametrize("scenario", ASKING, ids=lambda scenario: scenario.name)
async def test_every_plan_fits_its_own_forms_and_one_is_recommended(bench, scenario):
    world = bench(scenario.name)
    world.console.on_open = lambda case: world.console.decide(case, "reject", message="Only looking.")
    await world.run(scenario.desk)
    assert world.console.cases
    for case in world.console.cases:
        plans = case.package.get("proposals", [])
        assert [plan["recommended"] for plan in plans].count(True) == (1 if plans else 0)
        for step in (step for plan in plans for step in plan["steps"]):
            jsonschema_rs.validator_for(step["args_schema"]).validate(step["args"])
        if not plans:
            jsonschema_rs.meta.validate(case.package["question"]["response_schema"])


@pytest.mark.parametrize("scenario", ASKING, ids=lambda scenario: scenario.name)
async def test_every_recommended_plan_can_really_be_run(bench, scenario):
    world = bench(scenario.name)
    world.console.on_open = lambda case: (
        world.console.decide(case)
        if case.package.get("proposals")
        else world.console.decide(case, "respond", answer={"keep_together": True})
    )
    world.console.on_revise = lambda case: (
        "refused again" in case.package["title"] and world.console.decide(case)
    )
    await world.run(scenario.desk)
    ends = {case.execution for case in world.console.cases}
    assert ends <= {"executed", "partial", "not_applicable"}
    assert all(case.package["expires_at"] for case in world.console.cases)
