"""Answers questions from inside the console's Python, one JSON line each: makes agents and people, reads what is stored."""

import json
import sys

from django.db import connection
from django.utils.timezone import now

from console.kit.actor import SYSTEM
from console.people import operations as people
from console.people.roles import Role
from telemetry import operations as telemetry
from tests.telemetry.heard import heard


def agent(name):
    """Make an agent; give its key."""
    agent_id = telemetry.create_agent(name=name, owner_id=None, by=SYSTEM, at=now())
    return telemetry.issue_key(agent_id=agent_id, label="real", by=SYSTEM, at=now())


def person(name):
    """Make a person with every role; give a token."""
    made = people.create_person(name=name, roles=frozenset(Role), by=SYSTEM, at=now())
    return people.issue_token(person_id=made, label="real", by=SYSTEM, at=now())


def calls(*traces):
    """Give what is stored of these traces."""
    return [heard(trace) for trace in traces]


def answer():
    """Answer until nobody asks any more."""
    verbs = {"agent": agent, "person": person, "calls": calls}
    for line in sys.stdin:
        verb, *said = json.loads(line)
        print("SAID", json.dumps(verbs[verb](*said)), flush=True)
        connection.close()  # the next answer sees what the server has committed since
