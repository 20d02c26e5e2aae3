"""`manage.py demo`: the demo fleet against a running console."""

import signal
import sys
from argparse import ArgumentParser
from pathlib import Path
from types import FrameType

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import connections
from django.utils.timezone import now

from console.bootstrap.ports import why_not_listen
from console.demo import fleet
from console.demo.agents.roles import NAMES
from console.demo.keys import keys


class Command(BaseCommand):
    requires_system_checks = []
    help = "Run the demo fleet: a flaky travel service, and three agents that book trips against it for ever."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--url", "--console", dest="url", default="http://127.0.0.1:8000", help="address of the console"
        )
        parser.add_argument("--rate", type=float, default=20.0, help="booking requests a minute")
        parser.add_argument(
            "--service-port", type=int, default=0, help="port of the travel service; 0 is any"
        )
        parser.add_argument("--seed", type=int, default=1, help="the same seed brings the same requests")
        parser.add_argument("--calm", action="store_true", help="no outages and no noise")
        parser.add_argument("--scenarios", default="", help="only these scenarios, in turn")

    def handle(
        self,
        *args: object,
        url: str,
        rate: float,
        service_port: int,
        seed: int,
        calm: bool,
        scenarios: str,
        **_: object,
    ) -> None:
        if rate <= 0:
            sys.exit("--rate is a number of requests a minute, above 0.")
        if service_port and (refusal := why_not_listen("127.0.0.1", service_port)):
            sys.exit(refusal)
        data = Path(settings.DATA_DIR) / "demo"
        crew = fleet.members(
            console=url,
            keys=keys(NAMES, kept=data / "keys.json", at=now()),
            data=data,
            rate=rate,
            port=service_port or fleet.free_port(),
            seed=seed,
            service=(*(("--calm",) if calm else ()), "--scenarios", scenarios),
        )
        connections.close_all()
        self._run(crew)

    def _run(self, crew: tuple[fleet.Member, ...]) -> None:
        running = fleet.Fleet(crew, say=self.stdout.write)
        signal.signal(signal.SIGTERM, _leave)
        try:
            running.watch()
        except KeyboardInterrupt:
            pass
        finally:
            running.close()


def _leave(number: int, _frame: FrameType | None) -> None:
    sys.exit(128 + number)
