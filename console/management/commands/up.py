"""Do everything and serve: the one command of the house."""

import signal
import sys
import time
from argparse import ArgumentParser
from contextlib import suppress
from pathlib import Path
from types import FrameType

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils.timezone import now

from console.bootstrap import children, environment
from console.bootstrap.environment import ROOT, why_not_write
from console.bootstrap.ports import why_not_listen
from console.kit.actor import SYSTEM
from console.kit.env import OWN_NAMES
from console.people import operations, queries
from console.serving import preparation
from console.serving.address import address, remember
from console.serving.lifespan import why_not_alone
from console.serving.server import Server, config, why_not_workers

EVERYWHERE = frozenset({"0.0.0.0", "::"})  # noqa: S104  # read, not bound


class Command(BaseCommand):
    help = "Set up what is missing and serve the console; --demo adds a fleet of failing agents."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="listen here; 0.0.0.0 is every address")
        parser.add_argument("--port", type=int, default=8000, help="8000 where nothing else is said")
        parser.add_argument("--demo", action="store_true", help="run the demo fleet as well")
        parser.add_argument(
            "--rate",
            type=float,
            default=None,
            help="the demo's bookings a minute; 20 where nothing else is said",
        )

    def handle(
        self, *_args: object, host: str, port: int, demo: bool, rate: float | None, **_options: object
    ) -> None:
        folder = Path(settings.DATA_DIR)
        if refusal := why_not_workers(1) or why_not_write(folder) or why_not_alone(folder):
            sys.exit(refusal)
        if refusal := why_not_listen(host, port):
            sys.exit(refusal)
        self._address, self._open = address(host, port), host in EVERYWHERE
        settings.PUBLIC_URL = settings.PUBLIC_URL or self._address  # links in notices lead here
        self._fleet: list[children.Child] = []
        preparation.migrate(self.say)
        preparation.collect_static(self.say)
        door = self._door()
        server = Server(
            config(host, port),
            ready=lambda: self._ready(door=door, demo=demo, rate=rate),
            ending=self._stop_fleet,
        )
        signal.signal(signal.SIGTERM, _leave)  # uvicorn raises the signal again when it has ended
        try:
            server.run()
        except KeyboardInterrupt:
            pass
        finally:
            self._stop_fleet()
        self.say("Stopped.")
        sys.exit(0 if server.started else 1)

    def say(self, line: str) -> None:
        """Tell the person at the terminal; whoever stopped reading is not told."""
        with suppress(BrokenPipeError):
            self.stdout.write(line)
            self.stdout.flush()

    def _door(self) -> str:
        """Say how to get in; asked before the server runs, where nothing waits for the database."""
        if link := self._first_link():
            return f"Sign in, once, within 24 hours: {link}"
        known = queries.person_named(operations.FIRST_NAME) is not None
        return (
            f"A new sign-in link: python3 manage.py person link {operations.FIRST_NAME if known else 'NAME'}"
        )

    def _first_link(self) -> str | None:
        """Make the first operator; give a sign-in link as long as nobody has ever signed in."""
        at = now()
        name = operations.ensure_first_operator(at=at)
        if name is None and queries.anybody_entered():
            return None
        try:
            token = operations.issue_sign_in_link(name=name or operations.FIRST_NAME, by=SYSTEM, at=at)
        except operations.NoSuchPerson:  # people were added by hand, and whoever did that has their links
            return None
        return f"{self._address}/signin/{token}/"

    def _ready(self, *, door: str, demo: bool, rate: float | None) -> None:
        remember(self._address)
        self.say(
            f"Ready at {self._address}/ after {time.time() - environment.began():.1f} s. Ctrl-C stops it."
        )
        self.say(door)
        if self._open and list(OWN_NAMES) == settings.ALLOWED_HOSTS:
            self.say("Others reach it by names in ALLOWED_HOSTS, where only this machine's own stand now.")
        if not settings.EMBEDDED:
            self.say("REDIS_URL is set: tasks run in `celery -A console worker` and `beat`, beside this.")
        if demo:
            self.say("Demo: three agents book trips against a flaky travel service.")
            self._fleet.append(children.start("demo", self._demo(rate), cwd=str(ROOT)))

    def _demo(self, rate: float | None) -> list[str]:
        extra = [] if rate is None else ["--rate", str(rate)]
        return [sys.executable, str(ROOT / "manage.py"), "demo", "--url", self._address, *extra]

    def _stop_fleet(self) -> None:
        children.stop(self._fleet)
        self._fleet.clear()


def _leave(number: int, _frame: FrameType | None) -> None:
    sys.exit(128 + number)
