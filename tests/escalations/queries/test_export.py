import pytest

from escalations import operations, queries
from escalations.queries import export
from tests.escalations import made

pytestmark = pytest.mark.django_db
ARGS = {"flight": "MU5138", "points_max": 28000}


def test_a_line_has_the_failure_the_plans_what_was_changed_and_what_came_of_it():
    case = made.opened()
    steps = [{"id": "s2", "args": ARGS}, {"id": "s3", "run": False}]
    decided = made.decided(case.id, "edit", steps=steps, reason="cheaper")
    made.reported(decided, "partial", steps=[{"id": "s1", "status": "empty"}])
    (line,) = queries.decision_lines()
    assert (line["case"], line["failure"]["code"], line["decision"]["action"]) == (
        case.ref,
        "TIMEOUT",
        "edit",
    )
    assert line["changes"] == [
        {"step": "s2", "run": True, "proposed": made.find_out()["steps"][1]["args"], "decided": ARGS},
        {"step": "s3", "run": False, "proposed": {"traveller": "T-5071"}, "decided": {"traveller": "T-5071"}},
    ]
    assert (line["execution"], line["reason"]) == ("partial", "cheaper")
    assert line["outcomes"][0]["steps"][0]["status"] == "empty"


def test_every_revision_that_ended_is_a_line_and_what_was_taken_back_is_none(settings):
    settings.UNDO_WINDOW_S = 60
    case = made.opened()
    made.revised(case.id, base_revision=1, title="Changed")
    made.decided(case.id, base_revision=2)
    operations.retract(case_id=case.id, by=made.ANA, at=made.NOON)
    made.decided(case.id, "reject", base_revision=2, key="d-2")
    kinds = [(line["revision"], line["decision"]["kind"]) for line in queries.decision_lines()]
    assert kinds == [(1, "superseded"), (2, "decision")]


def test_only_one_agents_lines_are_given_when_asked_for():
    made.decided(made.opened().id, "reject")
    made.decided(made.opened(by=made.OTHER_AGENT).id, "reject")
    assert [line["agent"] for line in queries.decision_lines(agent="group-desk")] == ["group-desk"]


def test_the_oldest_comes_first_however_many_chunks_it_takes(monkeypatch):
    monkeypatch.setattr(export, "CHUNK", 2)
    for n in range(5):
        made.decided(made.opened(key=f"k{n}", title=f"no {n}").id, "reject", at=made.later(seconds=10 - n))
    assert [line["title"] for line in queries.decision_lines()] == [f"no {n}" for n in (4, 3, 2, 1, 0)]


@pytest.mark.parametrize("count", [1, 5])
def test_statements_grow_by_the_chunk_and_not_by_the_line(count, django_assert_num_queries, monkeypatch):
    monkeypatch.setattr(export, "CHUNK", 10)
    for n in range(count):
        made.decided(made.opened(key=f"k{n}", title=f"no {n}").id, "reject")
    with django_assert_num_queries(4):
        assert len(list(queries.decision_lines())) == count
