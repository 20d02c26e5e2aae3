"""Plain functions that make rows for tests, one per noun; arguments say only what a test is about."""

from datetime import UTC, datetime

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group

from console.kit.actor import SYSTEM
from telemetry import operations as telemetry

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def person(name="ana", *roles):
    """A person who may sign in, with roles by name."""
    made = get_user_model().objects.create_user(name)
    made.groups.set([Group.objects.get_or_create(name=role)[0] for role in roles])
    return made


def agent(name="trip-booker", owner_id=None):
    """An agent, by its id."""
    return telemetry.create_agent(name=name, owner_id=owner_id, by=SYSTEM, at=NOON)


def agent_key(agent_id, label=""):
    """A live key of an agent, in clear."""
    return telemetry.issue_key(agent_id=agent_id, label=label, by=SYSTEM, at=NOON)
