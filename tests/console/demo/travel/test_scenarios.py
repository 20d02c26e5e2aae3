from console.demo.travel.routes import ROUTES
from console.demo.travel.scenarios import BY_NAME, SCENARIOS


def test_scenarios_have_names_of_their_own():
    assert len(BY_NAME) == len(SCENARIOS)


def test_troubles_are_planned_for_tools_that_exist():
    tools = {route.tool for route in ROUTES}
    assert {tool for scenario in SCENARIOS for tool in scenario.troubles} <= tools
