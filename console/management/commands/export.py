"""`manage.py export decisions`: every decision with its failure, plans, changes, reason and outcome, as JSON lines."""

import json
from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from console.kit.pipes import until_nobody_reads
from escalations.queries import decision_lines


class Command(BaseCommand):
    help = "Write what was decided and what came of it, one JSON object a line, oldest first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", choices=["decisions"])
        parser.add_argument("--agent", default="", help="only this agent's, by its name")

    def handle(self, *args: object, agent: str = "", **options: object) -> None:
        with until_nobody_reads():
            for line in decision_lines(agent=agent):
                self.stdout.write(json.dumps(line, ensure_ascii=False))
