"""What stands around a page is read only where a page shows it."""

import pytest
from django.contrib.auth.models import AnonymousUser

from console.chrome import chrome


@pytest.fixture
def asked(rf):
    def ask(path, user=None, **headers):
        request = rf.get(path, headers=headers)
        request.user = user or AnonymousUser()
        return chrome(request)

    return ask


@pytest.mark.parametrize(
    ("path", "section"),
    [("/", "overview"), ("/queue/", "queue"), ("/cases/C-1/", "queue"), ("/traces/x/", "calls")],
)
def test_the_rail_knows_where_one_is(asked, path, section):
    assert asked(path)["section"] == section


def test_a_page_is_asked_for_whole_or_in_parts(asked):
    assert asked("/")["layout"] == "base.html"
    assert asked("/", **{"X-Parts": "1"})["layout"] == "parts.html"


def test_a_stranger_costs_no_query(asked):
    assert asked("/")["at"].tzinfo is not None


@pytest.mark.django_db
def test_counts_and_roles_are_the_persons(asked, operator):
    told = asked("/", operator)
    assert (told["counts"].open, told["counts"].unclaimed, told["counts"].breakers) == (0, 0, 0)
    assert str(told["roles"]) == "operator"
