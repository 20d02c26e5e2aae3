import pytest

from telemetry.operations.intake import submission
from telemetry.operations.prepare import Knowledge
from telemetry.operations.store import store
from telemetry.queries.tool_effects import writing_tools
from tests.telemetry.calls import NOON, body, call

pytestmark = pytest.mark.django_db


def report(*some):
    store([submission(body(*some), agent_id=1, key_id=1, at=NOON, knowledge=Knowledge())])


def test_a_tool_writes_when_one_of_its_calls_did():
    report(
        call("a", tool="card.refund", side_effect="read"),
        call("b", tool="card.refund", side_effect="write"),
        call("c", tool="card.find", side_effect="read"),
        call("d", tool="card.name", side_effect="idempotent_write"),
    )
    names = ["card.refund", "card.find", "card.name", "never.seen"]
    assert writing_tools(names) == {"card.refund", "card.name"}


def test_nothing_is_known_of_no_tool():
    assert writing_tools([]) == frozenset()
