"""`manage.py audit verify`: prove that no entry of the audit was changed, dropped or added."""

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict

from django.core.management.base import BaseCommand

from console.audit import queries
from console.kit.pipes import until_nobody_reads


class Command(BaseCommand):
    help = "Verify the audit's hash chain, or export its entries as JSON lines."

    def add_arguments(self, parser: ArgumentParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        verbs.add_parser("verify", help="recompute every hash; exit 1 and name each break where there is one")
        export = verbs.add_parser("export", help="write every entry, oldest first, one JSON object a line")
        export.add_argument("--subject", default="", help="only this subject, such as case:4182")

    def handle(self, *args: object, verb: str, subject: str = "", **options: object) -> None:
        if verb == "export":
            with until_nobody_reads():
                for entry in queries.every(subject=subject):
                    line = {**asdict(entry), "at": entry.at.isoformat()}
                    self.stdout.write(json.dumps(line, ensure_ascii=False))
            return
        proof = queries.verify()
        for fault in proof.breaks:
            self.stderr.write(f"Broken: {fault}.")
        if not proof.holds:
            sys.exit(1)
        self.stdout.write(f"The chain holds: {proof.entries} entries.")
