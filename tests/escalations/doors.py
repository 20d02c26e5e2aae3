"""REST clients for the cast: an agent with a key, a person with a session."""

import json

from django.utils.timezone import now
from rest_framework.test import APIClient

from console.kit.actor import SYSTEM
from telemetry import operations as facts
from telemetry.queries.keys import principal_of_key
from tests import factories

CASES = "/api/v1/escalations"


class Door:
    """A client that speaks JSON."""

    def __init__(self, client):
        self.client = client

    def raw(self, path, body, method="post"):
        return getattr(self.client, method)(path, body, content_type="application/json")

    def post(self, path, said=None):
        return self.raw(path, json.dumps(said if said is not None else {}))

    def put(self, path, said):
        return self.raw(path, json.dumps(said), "put")

    def get(self, path):
        return self.client.get(path)

    def delete(self, path):
        return self.client.delete(path)


def agent_key(name):
    """Make an agent with a key; give the key."""
    agent_id = facts.create_agent(name=name, by=SYSTEM, at=now())
    return facts.issue_key(agent_id=agent_id, by=SYSTEM, at=now())


def principal(key):
    """Give who stands behind a key."""
    return principal_of_key(key)


def agent_door(name):
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {agent_key(name)}")
    return Door(client)


def door_of(name, *roles):
    client = APIClient()
    client.force_login(factories.person(name, *roles))
    return Door(client)
