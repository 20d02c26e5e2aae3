"""The browser of an operator."""

import pytest


@pytest.fixture
def ana(client, operator):
    client.force_login(operator)
    return client
