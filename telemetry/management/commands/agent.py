"""`manage.py agent create NAME`, `agent key NAME`, `agent list`, `agent revoke PREFIX`."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.timezone import now

from console.kit.actor import SYSTEM
from console.kit.refusal import Refused
from telemetry.operations import create_agent, issue_key, revoke_key
from telemetry.queries import agent_named, agents, keys_by_prefix


class Command(BaseCommand):
    help = "Makes agents and their keys, lists them, revokes keys."

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        create = verbs.add_parser("create", help="make an agent and print its key, once")
        create.add_argument("name")
        create.add_argument("--label", default="", help="what the key is for")
        create.add_argument(
            "--if-missing", action="store_true", help="print nothing and succeed where the agent exists"
        )
        key = verbs.add_parser("key", help="make a further key for an agent and print it, once")
        key.add_argument("name")
        key.add_argument("--label", default="", help="what the key is for")
        verbs.add_parser("list", help="show agents and the prefixes of their keys")
        revoke = verbs.add_parser("revoke", help="revoke the key with this prefix, or every key of an agent")
        revoke.add_argument("prefix_or_name")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            getattr(self, f"_{options['verb']}")(options)
        except Refused as refusal:
            raise CommandError(refusal.detail) from refusal

    def _create(self, options: dict[str, Any]) -> None:
        if options["if_missing"] and agent_named(options["name"]) is not None:
            return
        if agent_named(options["name"]) is not None:
            raise CommandError(
                f"There is an agent called {options['name']!r} already: `manage.py agent key {options['name']}` "
                "prints a further key for it."
            )
        at = now()
        agent_id = create_agent(name=options["name"], by=SYSTEM, at=at)
        self.stdout.write(issue_key(agent_id=agent_id, label=options["label"], by=SYSTEM, at=at))

    def _key(self, options: dict[str, Any]) -> None:
        agent_id = agent_named(options["name"])
        if agent_id is None:
            raise CommandError(f"There is no agent called {options['name']!r}.")
        self.stdout.write(issue_key(agent_id=agent_id, label=options["label"], by=SYSTEM, at=now()))

    def _list(self, options: dict[str, Any]) -> None:
        for agent in agents(at=now()):
            keys = ", ".join(key.shown + (" revoked" if key.revoked_at else "") for key in agent.keys)
            seen = f"{agent.last_seen_at:%Y-%m-%d %H:%M:%S} UTC" if agent.last_seen_at else "never"
            self.stdout.write(f"{agent.name}\tlast seen {seen}\t{keys or 'no key'}")

    def _revoke(self, options: dict[str, Any]) -> None:
        keys = keys_by_prefix(options["prefix_or_name"])
        if not keys:
            raise CommandError(f"There is no live key {options['prefix_or_name']!r}.")
        for key_id in keys:
            revoke_key(key_id=key_id, by=SYSTEM, at=now())
        self.stdout.write(f"revoked: {len(keys)}")
