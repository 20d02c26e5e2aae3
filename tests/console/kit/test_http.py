"""Who stands behind a request, and which page of a list it asks for."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import Http404
from django.test import RequestFactory

from console.kit.actor import Actor, ActorKind
from console.kit.http import NotSignedIn, actor, headers_of, paged
from tests import factories


def asked(user=None, query=""):
    request = RequestFactory().get(f"/{query}")
    request.user = user
    return request


@pytest.mark.django_db
def test_a_person_is_read_with_their_roles():
    person = factories.person("wren", "operator", "sre")
    assert actor(asked(person)) == Actor(
        ActorKind.PERSON, str(person.pk), "wren", frozenset({"operator", "sre"})
    )


@pytest.mark.django_db
def test_somebody_who_left_is_a_stranger():
    person = factories.person("wren", "operator")
    person.is_active = False
    with pytest.raises(NotSignedIn):
        actor(asked(person))


def test_a_stranger_never_becomes_an_actor():
    with pytest.raises(NotSignedIn):
        actor(asked(AnonymousUser()))


def test_a_principal_that_carries_its_own_actor_gives_that():
    class Principal:
        actor = Actor(ActorKind.AGENT, "7", "trip-booker")

    assert actor(asked(Principal())).name == "trip-booker"


def test_only_a_stranger_is_told_how_to_sign_in():
    assert set(headers_of(NotSignedIn("Sign in first."))) == {"WWW-Authenticate"}


def test_the_page_asked_for_is_cut_and_a_made_up_cursor_leads_nowhere():
    rows = ["a", "b", "c"]
    how = {"limit": 2, "key": lambda row: (row,), "types": (str,)}
    first = paged(asked(), rows, **how)
    assert paged(asked(query=f"?after={first.after}"), rows, **how).rows == ("c",)
    with pytest.raises(Http404):
        paged(asked(query="?after=nonsense"), rows, **how)
