import pytest
from django.contrib.auth import get_user_model

from console.audit.queries import history
from escalations import contract, operations, queries
from escalations.domain import permissions
from escalations.operations.teams import BadTeam, NoSuchTeam
from tests.escalations import cast, made

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def people():
    return [cast.person("ana", "operator"), cast.person("ben", "operator"), cast.person("eve")]


def override(person="ben", hours=(0, 4), by=made.ANA):
    said = contract.AddOverride(
        person=person, starts_at=made.later(hours=hours[0]), ends_at=made.later(hours=hours[1])
    )
    return operations.add_override(team="desk", said=said, by=by, at=made.NOON)


def test_a_team_says_who_is_on_call_and_when_they_hand_over():
    made_ = cast.team()
    assert (made_.version, made_.on_call, made_.handover) == (1, ("ana", "ben"), "09:00")
    assert made_.next_handover.isoformat() == "2026-12-07T09:00:00+00:00"
    assert cast.team(people=("ben",)).version == 2
    assert [each.name for each in queries.teams(at=made.NOON).teams] == ["desk"]


def test_somebody_stands_in_for_a_while():
    cast.team()
    told = override()
    assert (told.on_call[0], told.overrides[0].person, told.overrides[0].by) == ("ben", "ben", "ana")
    assert queries.on_call(team="desk", at=made.later(hours=4)) == ("ana", "ben")
    gone = operations.drop_override(team="desk", override_id=told.overrides[0].id, by=made.BEN, at=made.NOON)
    assert (gone.on_call[0], gone.overrides) == ("ana", ())


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"people": ["ana", "eve"]}, "NO_SUCH_DECIDER"),
        ({"people": ["nobody"]}, "NO_SUCH_DECIDER"),
        ({"zone": "Mars/Olympus"}, "NO_SUCH_ZONE"),
    ],
)
def test_a_team_that_could_not_answer_is_refused(change, code):
    with pytest.raises(BadTeam) as refused:
        cast.team(**change)
    assert refused.value.errors[0].code == code


def test_whoever_lost_the_role_is_passed_over(people):
    cast.team()
    get_user_model().objects.get(username="ana").groups.clear()
    assert queries.on_call(team="desk", at=made.NOON) == ("ben",)


def test_teams_are_for_administrators_and_stand_ins_for_whoever_decides():
    with pytest.raises(permissions.NotYours):
        cast.team(by=made.ANA)
    cast.team()
    for stranger in (made.EVE, made.AGENT):
        with pytest.raises(permissions.NotYours):
            override(by=stranger)
    operations.drop_team(name="desk", by=cast.ADMIN, at=made.NOON)
    with pytest.raises(NoSuchTeam):
        override()
    with pytest.raises(NoSuchTeam):
        operations.drop_team(name="desk", by=cast.ADMIN, at=made.NOON)
    assert [entry.verb for entry in history(subject="team:desk")] == ["team_made", "team_dropped"]
    assert queries.on_call(team="desk", at=made.NOON) == ()
