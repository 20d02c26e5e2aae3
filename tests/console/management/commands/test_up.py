import pytest
from django.utils.timezone import now

from console.kit.actor import SYSTEM
from console.management.commands.up import Command, address
from console.people import operations


@pytest.fixture
def up():
    command = Command()
    command._address = "http://127.0.0.1:8000"
    return command


@pytest.mark.django_db(transaction=True)
def test_the_first_start_makes_an_operator_and_a_link_that_works_once(up):
    link = up._first_link()
    assert link.startswith("http://127.0.0.1:8000/signin/")
    assert operations.redeem(token=link.split("/")[-2], at=now()).username == operations.FIRST_NAME


@pytest.mark.django_db(transaction=True)
def test_as_long_as_nobody_has_entered_every_start_gives_a_link(up):
    assert up._first_link() != up._first_link()


@pytest.mark.django_db(transaction=True)
def test_once_somebody_has_entered_no_start_gives_a_link(up):
    operations.redeem(token=up._first_link().split("/")[-2], at=now())
    assert up._first_link() is None


@pytest.mark.django_db(transaction=True)
def test_where_people_were_added_by_hand_no_link_is_made_and_nothing_breaks(up):
    operations.create_person(name="ana", roles=frozenset(), by=SYSTEM, at=now())
    assert up._first_link() is None


def test_the_demo_is_told_where_the_console_is_and_how_fast_to_go(up):
    assert up._demo(None)[-2:] == ["--url", "http://127.0.0.1:8000"]
    assert up._demo(2.5)[-2:] == ["--rate", "2.5"]


@pytest.mark.parametrize(
    ("host", "said"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000"),
        ("0.0.0.0", "http://127.0.0.1:8000"),
        ("::", "http://[::1]:8000"),
    ],
)
def test_the_address_it_says_is_one_that_can_be_typed(host, said):
    assert address(host, 8000) == said
