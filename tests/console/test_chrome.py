"""What stands around a page is read only where a page shows it."""

import pytest
from django.contrib.auth.models import AnonymousUser

from console.chrome import chrome
from console.kit.http import actor, counted


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


@pytest.mark.django_db
def test_what_the_page_has_counted_is_not_counted_again(rf, operator, django_assert_num_queries):
    request = rf.get("/")
    request.user = operator
    counted(request, open=3, unclaimed=2, breakers=1)
    counts = chrome(request)["counts"]
    with django_assert_num_queries(0):
        assert (counts.open, counts.unclaimed, counts.breakers) == (3, 2, 1)
    with django_assert_num_queries(1):
        assert (counts.spikes, counts.spikes) == (0, 0)


@pytest.mark.django_db
def test_each_number_of_the_frame_is_one_statement(asked, operator, django_assert_num_queries):
    counts = asked("/", operator)["counts"]
    with django_assert_num_queries(1):
        assert (counts.open, counts.unclaimed, counts.open) == (0, 0, 0)


@pytest.mark.django_db
def test_who_asks_is_read_once_a_request(rf, operator, django_assert_num_queries):
    request = rf.get("/")
    request.user = operator
    with django_assert_num_queries(1):
        assert actor(request) == actor(request)
