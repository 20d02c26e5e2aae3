"""How a case is shown to a browser and sent from it."""

from datetime import timedelta

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from console.kit.actor import Actor, ActorKind
from tests.escalations import made


def opened(**changes):
    at = made.real_now()
    return made.opened(at=at, expires_at=(at + timedelta(minutes=30)).isoformat(), **changes)


def as_actor(person):
    return Actor(ActorKind.PERSON, str(person.pk), person.username, frozenset({"operator"}))


def to(name, case):
    return reverse(name, args=[case.ref])


def show(client, case):
    answer = client.get(to("case", case))
    assert answer.status_code == 200
    return answer.content.decode()


def send(client, case, action="approve", *, seen="", **fields):
    body = {"action": action, "base_revision": case.revision, "plan": "0", "seen": seen, **fields}
    return client.post(to("case-decision", case), body, follow=True)


def digest_shown(client, case):
    return client.get(to("case", case)).context["desk"].chosen.digest


def count(client, path):
    with CaptureQueriesContext(connection) as seen:
        client.get(path)
    return len(seen)
