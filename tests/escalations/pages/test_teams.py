"""Teams on pages: who is on call now and next, an order without a script, stand-ins with an end, nothing typed lost."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from django.urls import reverse
from django.utils import timezone

from console.audit.models import AuditEntry
from escalations import queries
from escalations.models import Override, Team
from tests.escalations import cast
from tests.escalations.pages.browser import count

pytestmark = pytest.mark.django_db
FORM = {
    "name": "finance",
    "people": ["ana", "", "ben"],
    "zone": "Europe/Berlin",
    "weekday": "1",
    "handover": "09:30",
    "since": "2026-11-02",
}


@pytest.fixture
def chief(ana, operator, rival):
    operator.groups.add(Group.objects.get_or_create(name="admin")[0])
    return ana


def make(client, *, do="save", **changes):
    return client.post(reverse("team-new"), {**FORM, **changes, "do": do})


def text(answer):
    return answer.content.decode()


def page(client, name="finance"):
    return text(client.get(reverse("team", args=[name])))


def picked(**delta):
    return timezone.localtime(timezone.now() + timedelta(**delta)).strftime("%Y-%m-%dT%H:%M")


def stand_in(client, **changes):
    said = {"person": "ben", "starts_at": picked(hours=-1), "ends_at": picked(hours=4), **changes}
    return client.post(reverse("team-stand-in", args=["finance"]), said, follow=True)


def test_a_team_is_made_in_its_order_and_says_who_is_on_call(chief):
    assert make(chief).headers["Location"] == reverse("team", args=["finance"])
    row = Team.objects.get()
    assert (row.people, row.zone, row.weekday, str(row.handover)[:5]) == (
        ["ana", "ben"],
        "Europe/Berlin",
        1,
        "09:30",
    )
    html = page(chief)
    assert "is on call" in html
    assert "Hands over every Tuesday at 09:30, Europe/Berlin." in html
    assert html.count("this week") == 1
    assert AuditEntry.objects.get(verb="team_made").source == "page"
    (line,) = chief.get(reverse("teams")).context["lines"]
    assert {line.on_call, line.after} == {"ana", "ben"}


def test_rows_are_moved_taken_out_and_added_without_a_script_and_nothing_is_saved(chief):
    def people(answer):
        return [name for _n, name in answer.context["form"].places if name]

    assert people(make(chief, do="up-1")) == ["ben", "ana"]
    assert people(make(chief, do="off-0")) == ["ben"]
    more = make(chief, do="more")
    assert people(more) == ["ana", "ben"]
    assert len(list(more.context["form"].places)) == 9
    assert people(make(chief, do="up-99")) == ["ana", "ben"]
    assert people(make(chief, do="off-x")) == ["ana", "ben"]
    assert not Team.objects.exists()


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        ({"name": " "}, "name"),
        ({"name": "a/b"}, "name"),
        ({"name": "n" * 121}, "name"),
        ({"name": ".."}, "name"),
        ({"people": ["ana", "ana"]}, "people"),
        ({"people": ["nobody"]}, "people"),
        ({"zone": "Mars/Olympus"}, "zone"),
        ({"weekday": "9"}, "weekday"),
        ({"weekday": "x"}, "weekday"),
        ({"handover": "25:00"}, "handover"),
        ({"since": "2026-02-30"}, "since"),
    ],
)
def test_what_does_not_fit_is_marked_and_every_word_is_kept(chief, wrong, place):
    answer = make(chief, **wrong)
    assert answer.status_code == 422
    assert place in answer.context["form"].errors
    assert 'role="alert"' in text(answer)
    assert {**FORM, **wrong}["handover"] in text(answer)
    assert not Team.objects.exists()


def test_saving_what_is_shown_changes_nothing_but_the_version(chief):
    make(chief)
    form = chief.get(reverse("team-change", args=["finance"])).context["form"]
    typed = {each: getattr(form, each) for each in ("zone", "weekday", "handover", "since")}
    people = [name for _n, name in form.places]
    before = Team.objects.values("people", "zone", "weekday", "handover", "since").get()
    chief.post(
        reverse("team-change", args=["finance"]), {**typed, "people": people, "name": "x", "do": "save"}
    )
    assert Team.objects.values("people", "zone", "weekday", "handover", "since").get() == before
    assert Team.objects.get().version == 2


def test_somebody_stands_in_and_is_taken_off_again(chief):
    make(chief)
    html = text(stand_in(chief))
    assert "ben stands in." in html
    assert "<b>ben</b> is on call and stands in until" in html
    assert queries.on_call(team="finance", at=timezone.now())[0] == "ben"
    (one,) = Override.objects.all()
    chief.post(reverse("team-stand-in-drop", args=["finance", one.pk]))
    assert not Override.objects.exists()
    assert "Nobody stands in." in page(chief)
    assert chief.post(reverse("team-stand-in-drop", args=["finance", one.pk])).status_code == 302


@pytest.mark.parametrize(
    "wrong", [{"ends_at": picked(hours=-3)}, {"starts_at": "soon"}, {"person": ""}, {"person": "nobody"}]
)
def test_a_stand_in_that_makes_no_sense_is_refused_with_what_was_typed(chief, wrong):
    make(chief)
    answer = stand_in(chief, **wrong)
    assert not Override.objects.exists()
    assert answer.context["typed"]["ends_at"] == wrong.get("ends_at", answer.context["typed"]["ends_at"])
    assert 'class="notice bad"' in text(answer)


def test_whoever_may_not_decide_any_more_is_named_and_passed_over(chief, rival):
    make(chief, people=["ben"])
    rival.groups.clear()
    html = page(chief)
    assert "Nobody is on call" in html
    assert "May not decide and is passed over: ben." in html
    assert "nobody" in text(chief.get(reverse("teams")))


def test_operators_arrange_stand_ins_and_change_no_team(ana, rival):
    cast.team(name="finance")
    assert "team-change" not in page(ana)
    assert "/teams/finance/change/" not in page(ana)
    assert "stands in." in text(stand_in(ana))
    assert ana.post(reverse("team-change", args=["finance"]), {**FORM, "do": "save"}).status_code == 403
    ana.post(reverse("team-drop", args=["finance"]))
    assert Team.objects.get().version == 1


def test_who_has_no_role_only_looks(client, stranger, operator, rival):
    cast.team(name="finance")
    client.force_login(stranger)
    assert "You may look." in page(client)
    stand_in(client)
    assert not Override.objects.exists()
    assert "Teams are made by administrators" in text(client.get(reverse("team-new")))


def test_a_team_is_dropped_and_a_missing_one_is_not_there(chief):
    make(chief)
    chief.post(reverse("team-drop", args=["finance"]))
    assert not Team.objects.exists()
    assert "No team yet." in text(chief.get(reverse("teams")))
    for name in ("team", "team-change"):
        assert chief.get(reverse(name, args=["finance"])).status_code == 404


def test_many_teams_cost_the_statements_of_one(chief):
    make(chief)
    one = count(chief, reverse("teams"))
    for n in range(4):
        make(chief, name=f"team {n}")
    assert count(chief, reverse("teams")) == one
