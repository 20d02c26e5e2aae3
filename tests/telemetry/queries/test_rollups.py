"""A tool's counters are the same whether each is looked up by its key or found among those of all tools."""

from datetime import timedelta

import pytest

from telemetry.domain.buckets import cut
from telemetry.domain.ids import id_of_words
from telemetry.operations.intake import submission
from telemetry.operations.prepare import Knowledge
from telemetry.operations.store import store
from telemetry.queries import rollups
from telemetry.vocabulary import Window
from tests.telemetry.calls import NOON, body, call

pytestmark = pytest.mark.django_db
CODES = ("TIMEOUT", "NOT_FOUND", "QUOTA")


@pytest.fixture
def week(db):
    made = []
    for hours in (0, 1, 5, 30, 50, 100, 170, 300):
        at = NOON - timedelta(hours=hours, minutes=3)
        for tool in ("pay", "flight.search"):
            failures = [{"outcome": "failed", "failure": {"class": "hard", "code": code}} for code in CODES]
            for n, changes in enumerate([{}, *failures]):
                made.append(call(f"{tool}{hours}-{n}", tool=tool, started_at=at, **changes))
    for agent in (1, 2):
        store([submission(body(*made), agent_id=agent, key_id=1, at=NOON, knowledge=Knowledge())])


@pytest.mark.parametrize("agent", [0, 1])
@pytest.mark.parametrize("window", list(Window))
def test_few_series_or_many_the_sums_of_a_tool_are_the_same(week, monkeypatch, window, agent):
    shape, pay = cut(window, at=NOON), id_of_words("tool", "pay")

    def read():
        words = rollups.by_words([shape, shape.before], agent_id=agent, tool_id=pay)
        steps = rollups.by_step(shape, agent_id=agent, tool_id=pay)
        return set(words), set(steps), rollups.by_cause(shape, agent_id=agent, tool_id=pay)

    one_by_one = read()
    monkeypatch.setattr(rollups, "_FEW", 1)
    assert read() == one_by_one
    words, steps, causes = one_by_one
    everything = rollups.by_words([shape, shape.before], agent_id=agent)
    assert words == {row for row in everything if row.tool == "pay"} != set()
    now = sum(row.n for row in words if row.period == rollups.NOW)
    assert now == sum(row.n for row in steps if row.kind == "o") > 0
    assert sum(causes.values()) == sum(row.n for row in words if row.failure_class and not row.period)
    assert len(causes) == len(CODES)


def test_a_tool_that_was_never_called_has_no_sums(week):
    shape = cut(Window.WEEK, at=NOON)
    assert rollups.by_words([shape], agent_id=0, tool_id=5) == ()
    assert rollups.by_step(shape, agent_id=0, tool_id=5) == ()
