"""The sockets' document says what the sockets do: every reference resolves, every message is understood or sent."""

import re
from pathlib import Path
from typing import get_args

import jsonschema_rs
import pytest

from console.agent_socket import messages
from console.agent_socket.asyncapi import HEARD, TOLD, document
from escalations import contract
from escalations.queries.wire import spelled
from tests.escalations import made

DOCUMENT = document()
ROUTES = ("/ws/agent/v1", "/ws/hints")


def refs(value):
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for inner in value.values():
            yield from refs(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from refs(inner)


def at(pointer):
    found = DOCUMENT
    for part in pointer.removeprefix("#/").split("/"):
        found = found[part]
    return found


def test_every_reference_resolves():
    found = set(refs(DOCUMENT))
    assert found
    assert all(at(pointer) is not None for pointer in found)


def test_it_is_served_to_everyone(client):
    answer = client.get("/api/v1/asyncapi")
    assert answer.status_code == 200
    assert answer.json() == DOCUMENT
    assert {channel["address"] for channel in DOCUMENT["channels"].values()} == set(ROUTES)


def test_what_is_documented_as_heard_is_what_the_socket_hears():
    source = Path(messages.__file__).read_text(encoding="utf-8")
    assert set(re.findall(r'case "(\w+)":', source)) == set(HEARD)


@pytest.mark.parametrize("name", [*HEARD, *TOLD])
def test_each_message_carries_its_type(name):
    shape = DOCUMENT["components"]["schemas"][name]
    kind = shape["properties"]["type"]
    assert kind.get("const") == name
    assert "type" in shape["required"] or kind.get("default") == name


@pytest.mark.django_db
def test_a_real_decision_is_valid_by_the_document():
    decided = made.decided(made.opened().id)
    sent = {"type": "decision", **spelled(decided)}
    shape = {**DOCUMENT["components"]["schemas"]["decision"], "components": DOCUMENT["components"]}
    jsonschema_rs.validator_for(shape).validate(sent)


def test_the_words_of_both_sides_are_the_contracts():
    assert get_args(contract.Subscribe.model_fields["type"].annotation) == ("subscribe",)
    assert get_args(contract.Ack.model_fields["type"].annotation) == ("ack",)
