"""Makes operators for `manage.py bench race`, as many as asked; prints each one's token and sign-in link."""

import json
import sys

import django

django.setup()

from django.utils.timezone import now  # noqa: E402  # after the set-up, as everything below

from console.kit.actor import SYSTEM  # noqa: E402
from console.people import operations as people  # noqa: E402
from console.people.roles import Role  # noqa: E402


def made(name: str) -> dict[str, str]:
    """Make one operator."""
    person = people.create_person(name=name, roles=frozenset({Role.OPERATOR}), by=SYSTEM, at=now())
    token = people.issue_token(person_id=person, label="bench", by=SYSTEM, at=now())
    return {"token": token, "link": people.issue_sign_in_link(name=name, by=SYSTEM, at=now())}


print(json.dumps([made(f"operator-{n}") for n in range(int(sys.argv[1]))]))
