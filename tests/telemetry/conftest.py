"""An agent with a key, another, and a client that shows a key."""

import pytest
from rest_framework.test import APIClient

from telemetry.domain.ids import Ids
from telemetry.operations import store
from telemetry.queries.keys import forget_keys
from tests import factories


@pytest.fixture(autouse=True)
def no_key_is_remembered():
    forget_keys()


@pytest.fixture(autouse=True)
def ids_of_this_test_alone(monkeypatch):
    """Ids only ever grow: one test's tomorrow must not be the next one's today."""
    monkeypatch.setattr(store, "ids", Ids())


@pytest.fixture
def booker(db):
    return factories.agent("trip-booker")


@pytest.fixture
def rival_agent(db):
    return factories.agent("group-desk")


@pytest.fixture
def as_agent():
    """A client that shows a key of the agent."""

    def make(agent_id):
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {factories.agent_key(agent_id)}")
        return client

    return make
