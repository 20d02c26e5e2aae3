"""A colleague is added at the terminal, and enters by the link that is printed."""

import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils.timezone import now

from console.people.models import User
from console.people.operations import redeem

pytestmark = pytest.mark.django_db


def run(*argv):
    out = StringIO()
    call_command("person", *argv, stdout=out)
    return out.getvalue()


def test_a_person_is_added_with_roles_and_the_link_lets_them_in():
    printed = run("add", "wren", "--role", "operator", "--role", "sre", "--url", "https://board.example")
    token = re.search(r"https://board\.example/signin/(\S+)/", printed)[1]
    person = redeem(token=token, at=now())
    assert person.username == "wren"
    assert set(person.groups.values_list("name", flat=True)) == {"operator", "sre"}


def test_without_a_role_named_they_are_an_operator():
    run("add", "wren")
    assert User.objects.get().groups.get().name == "operator"


def test_adding_again_sets_the_roles_and_gives_a_fresh_link():
    run("add", "wren", "--role", "operator")
    run("add", "wren", "--role", "sre")
    assert User.objects.get().groups.get().name == "sre"


def test_a_link_for_nobody_is_refused_in_a_sentence():
    with pytest.raises(CommandError, match="There is no person called 'wren'"):
        run("link", "wren")


def test_without_an_address_the_link_leads_to_where_the_console_listens(settings, tmp_path):
    settings.DATA_DIR, settings.PUBLIC_URL = tmp_path, ""
    (tmp_path / "address").write_text("http://127.0.0.1:8431\n")
    assert "http://127.0.0.1:8431/signin/" in run("add", "wren")
