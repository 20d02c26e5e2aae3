"""What the tests against real frameworks share; where those are not installed nothing here is collected."""

import importlib.util
import uuid

import pytest

collect_ignore_glob = [] if importlib.util.find_spec("langgraph") else ["*"]


@pytest.fixture(scope="session")
def console(tmp_path_factory):
    """Run the real console as its own process, in its own Python."""
    from tests.real.house import Console  # noqa: PLC0415  # needs what only .venv-real has

    running = Console(tmp_path_factory.mktemp("console"))
    running.start()
    yield running
    running.stop()


@pytest.fixture
def agent(console, request):
    """Give an agent of this test's own: a name and a key."""
    name = request.node.name.partition("[")[0][:60].replace("_", "-")
    return console.agent(f"{name}-{uuid.uuid4().hex[:6]}")
