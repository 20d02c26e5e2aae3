import asyncio
from io import StringIO

import pytest
from django.core.management.base import OutputWrapper
from django.utils.timezone import now

from console.kit.actor import SYSTEM
from console.management.commands.up import Command
from console.people import operations


@pytest.fixture
def up():
    command = Command()
    command._address, command._open = "http://127.0.0.1:8000", False
    return command


@pytest.fixture
def said(up):
    up.stdout = OutputWrapper(StringIO())
    return up.stdout._out.getvalue


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


@pytest.mark.django_db(transaction=True)
def test_a_later_start_names_the_person_whose_link_can_be_made_anew(up):
    assert "once, within 24 hours: http://127.0.0.1:8000/signin/" in up._door()
    operations.redeem(token=up._first_link().split("/")[-2], at=now())
    assert up._door().endswith("person link operator")


@pytest.mark.django_db(transaction=True)
def test_where_people_were_added_by_hand_a_later_start_leaves_the_name_open(up):
    operations.create_person(name="ana", roles=frozenset(), by=SYSTEM, at=now())
    assert up._door().endswith("person link NAME")


@pytest.fixture
def ready(up, said, settings, tmp_path):
    """Say that it is ready where the server does: in its loop, where no database may be asked."""
    settings.DATA_DIR = tmp_path

    async def say():
        up._ready(door="http://…", demo=False, rate=None)
        return said()

    return lambda: asyncio.run(say())


def test_it_says_where_it_is_and_how_to_get_in(ready):
    first, door = ready().splitlines()
    assert first.startswith("Ready at http://127.0.0.1:8000/ after")
    assert door == "http://…"


def test_one_that_listens_everywhere_says_what_others_need(up, ready, settings):
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
    up._open = True
    assert "ALLOWED_HOSTS" in ready()
    settings.ALLOWED_HOSTS = ["board.example"]
    assert ready().count("ALLOWED_HOSTS") == 1


def test_at_scale_it_says_that_tasks_run_elsewhere(ready, settings):
    settings.EMBEDDED = False
    assert "celery -A console worker" in ready()
