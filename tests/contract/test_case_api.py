"""Whatever the promised schema allows, at every address of cases, by an agent and by a person: no answer is a 500."""

import json
from urllib.parse import quote

import pytest
import schemathesis
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, given, settings

from tests.escalations import made
from tests.escalations.doors import CASES, agent_door, door_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
A_FEW = settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    database=None,
    derandomize=True,
)


def operations():
    document = SchemaGenerator().get_schema(request=None, public=True)
    promised = schemathesis.openapi.from_dict(json.loads(json.dumps(document, default=str)))
    found = [each.ok() for each in promised.get_all_operations()]
    return [each for each in found if "/escalations" in each.path or "/policies" in each.path]


@pytest.mark.parametrize("operation", operations(), ids=lambda each: f"{each.method} {each.path}")
def test_no_promised_request_ends_in_a_500_and_every_refusal_has_the_one_shape(operation):
    agent, person = agent_door("trip-booker"), door_of("ana", "operator", "admin")
    mine = agent.post(CASES, made.package(key="mine")).json()["id"]

    @A_FEW
    @given(operation.as_strategy())
    def asked(case):
        path = operation.path
        for name, value in (case.path_parameters or {}).items():
            path = path.replace(
                f"{{{name}}}", mine if name == "escalation_id" else quote(str(value), safe="")
            )
        query = "&".join(f"{name}={quote(str(value))}" for name, value in (case.query or {}).items())
        sayable = isinstance(case.body, dict | list | str | int | float | bool)
        body = json.dumps(case.body).encode() if sayable else b""
        for door in (agent, person):
            answer = door.client.generic(
                operation.method.upper(), f"{path}?{query}", body, content_type="application/json"
            )
            assert answer.status_code < 500
            if answer.status_code >= 400:
                assert {"code", "detail", "errors"} <= set(answer.json())

    asked()
