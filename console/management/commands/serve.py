"""Serve the console; set up nothing but what is stale. For one command that does everything, see `up`."""

import sys
from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from console.bootstrap.ports import why_not_listen
from console.serving import preparation, processes
from console.serving.address import address, remember
from console.serving.server import Server, config, why_not_workers


class Command(BaseCommand):
    help = "Serve the console over ASGI. Without REDIS_URL, one process with the worker inside."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="listen here; 0.0.0.0 is every address")
        parser.add_argument("--port", type=int, default=8000, help="8000 where nothing else is said")
        parser.add_argument("--workers", type=int, default=1, help="processes; more than one needs REDIS_URL")

    def handle(self, *_args: object, host: str, port: int, workers: int, **_options: object) -> None:
        if refusal := why_not_workers(workers) or why_not_listen(host, port):
            sys.exit(refusal)
        preparation.collect_static(self.say)
        remember(address(host, port))
        settings = config(host, port, workers=workers)
        if workers > 1:
            processes.run(settings)
            return
        server = Server(settings, ready=lambda: self.say(f"Ready at http://{host}:{port}/"))
        server.run()
        sys.exit(0 if server.started else 1)

    def say(self, line: str) -> None:
        """Tell the person at the terminal."""
        self.stdout.write(line)
        self.stdout.flush()
