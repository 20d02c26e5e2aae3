"""Pages over calls that were really reported."""

import pytest

from tests import factories
from tests.telemetry import calls as made


@pytest.fixture
def report(client, db):
    """Report calls through the API: `report(recent("a"), …)`; every use is the same agent's."""
    key = factories.agent_key(factories.agent("trip-booker"))

    def post(*calls):
        answer = client.post(
            "/api/v1/calls",
            made.body(*calls),
            content_type="application/json",
            HTTP_AUTHORIZATION=f"Bearer {key}",
        )
        assert answer.status_code == 200, answer.content
        return answer.json()

    return post


@pytest.fixture
def signed_in(client, operator):
    client.force_login(operator)
    return client
