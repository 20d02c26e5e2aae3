"""`python -m console.demo.agents NAME …`: one of the three agents as a process of its own."""

import argparse
import asyncio
import logging
import os
import signal
from pathlib import Path

import switchboard as sb
from console.bootstrap.children import follow_parent
from console.demo.agents.roles import ROLES
from console.demo.agents.service import Service
from console.demo.agents.toolkit import toolkit
from console.demo.agents.trip import Waiting
from console.demo.agents.worker import Rhythm, Worker


async def work(said: argparse.Namespace) -> None:
    """Run the agent until it is told to stop. The agent's key comes from SWITCHBOARD_KEY."""
    role, folder = ROLES[said.name], Path(said.data)
    client = sb.Client(
        said.console, agent_version=role.version, spool=folder / f"{said.name}.spool", instance=said.instance
    )
    service = Service(said.service)
    toolbox = toolkit(client, service, pace=said.pace)
    rhythm = Rhythm(
        per_minute=said.rate * role.share,
        enough=round(said.cases * role.share),
        opening_s=1.0 * said.pace,
        most=said.most,
    )
    worker = Worker(
        said.name,
        role.script,
        service,
        toolbox,
        folder / f"{said.name}.journal",
        rhythm,
        waiting=Waiting(round(said.cases * role.share * 1.3)),
    )
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, _leave, client)
    await worker.run()
    toolbox.close()
    await service.close()
    client.close()


def _leave(client: sb.Client) -> None:
    """Send what is reported and go. What is under way is in the journal, and the next start goes on with it."""
    client.close(deadline_s=1.0)
    os._exit(0)


def main() -> None:
    """Read the arguments and work."""
    parser = argparse.ArgumentParser(prog="console.demo.agents")
    parser.add_argument("name", choices=ROLES)
    parser.add_argument("--console", required=True, help="address of the console")
    parser.add_argument("--service", required=True, help="address of the travel service")
    parser.add_argument("--data", required=True, help="folder of its journal")
    parser.add_argument(
        "--rate", type=float, default=20.0, help="requests a minute, of all three agents together"
    )
    parser.add_argument(
        "--cases", type=int, default=28, help="cases open at once, of all three agents together"
    )
    parser.add_argument("--most", type=int, default=0, help="end after so many requests; 0 is never")
    parser.add_argument("--pace", type=float, default=1.0, help="share of the usual waits and time limits")
    parser.add_argument("--instance", default=None, help="name of this process on the breaker board")
    said = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, format=f"{said.name}: %(message)s")
    follow_parent()
    Path(said.data).mkdir(parents=True, exist_ok=True)
    asyncio.run(work(said))


if __name__ == "__main__":
    main()
