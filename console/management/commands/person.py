"""`manage.py person`: add a colleague, change their roles, make them a sign-in link."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError
from django.utils.timezone import now

from console.kit.actor import SYSTEM
from console.kit.refusal import Refused
from console.people import operations, queries
from console.people.roles import Role
from console.serving.address import reached_at


class Command(BaseCommand):
    help = "Add a person or make a one-time sign-in link for one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        add = verbs.add_parser(
            "add", help="create a person, or set the roles of one, and print a sign-in link"
        )
        add.add_argument("name")
        add.add_argument("--role", action="append", choices=[role.value for role in Role], default=[])
        link = verbs.add_parser("link", help="print a fresh one-time sign-in link")
        link.add_argument("name")
        for each in (add, link):
            each.add_argument(
                "--url", help="where people reach this console; PUBLIC_URL, or where it was served last"
            )

    def handle(self, *args: object, verb: str, name: str, url: str | None, **options: object) -> None:
        at = now()
        try:
            if verb == "add":
                roles = frozenset(Role(role) for role in options["role"] or [Role.OPERATOR])  # type: ignore[attr-defined]
                known = queries.person_named(name)
                if known is None:
                    operations.create_person(name=name, roles=roles, by=SYSTEM, at=at)
                else:
                    operations.set_roles(person_id=known, roles=roles, by=SYSTEM, at=at)
            token = operations.issue_sign_in_link(name=name, by=SYSTEM, at=at)
        except Refused as refusal:
            raise CommandError(refusal.detail) from refusal
        link = f"{(url or reached_at()).rstrip('/')}/signin/{token}/"
        self.stdout.write(f"Sign-in link for {name}, good once within 24 hours: {link}")
