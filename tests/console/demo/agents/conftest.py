import pytest

from tests.console.demo.agents.bench import Bench


@pytest.fixture
async def bench(tmp_path):
    """Give a function that sets up the agents' world for some scenarios."""
    made = []

    def make(*scenarios, **settings):
        made.append(Bench(tmp_path, *scenarios, **settings))
        return made[-1]

    yield make
    for each in made:
        await each.close()
