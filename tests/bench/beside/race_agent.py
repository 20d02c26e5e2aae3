"""One agent process of `manage.py bench race`: hands tasks over, waits, carries out what was decided, exactly once.

Reads nothing but its arguments: URL KEY FOLDER FIRST LAST. Every effect of its one tool is a row of FOLDER/world.sqlite3,
which knows no uniqueness: an effect that happened twice is there twice. It may be killed at any instant and started again.
"""

import asyncio
import os
import sqlite3
import sys
import threading
from pathlib import Path

import switchboard as sb

AT_ONCE = 40
URL, KEY, FOLDER, FIRST, LAST = (
    sys.argv[1],
    sys.argv[2],
    Path(sys.argv[3]),
    int(sys.argv[4]),
    int(sys.argv[5]),
)
world = sqlite3.connect(FOLDER / "world.sqlite3", isolation_level=None)
box = sb.Toolbox(sb.Client(URL, key=KEY, spool=None))


@box.tool(name="charge.find", effect="read")
async def find(task: str) -> dict[str, int] | None:
    """Look whether it was paid back."""
    found = world.execute("SELECT amount FROM effects WHERE task = ?", (task,)).fetchone()
    return {"amount": found[0]} if found else None


@box.tool(name="charge.refund", effect="write", reconcile="charge.find")
async def refund(task: str, amount: int) -> dict[str, int]:
    """Pay back; a person decides how much."""
    world.execute("INSERT INTO effects VALUES (?, ?)", (task, amount))
    return {"amount": amount}


async def work(task: str) -> None:
    """Take one task through to its end; on a restart it goes on where it was."""
    async with box.session(
        id=task, goal=f"Refund {task}", journal=FOLDER / "journal.sqlite3", lease_s=5
    ) as session:
        step = sb.PlanStep("charge.refund", {"task": task, "amount": 100}, id="refund")
        plan = sb.Plan("A", "compensate", "Pay back what was charged twice", [step], recommended=True)
        case = await session.hand_over(f"Charged twice: {task}", trigger="payment_anomaly", proposals=[plan])
        ended = None
        while ended is None:
            try:
                ended = await session.settle(case)
            except (sb.Unreachable, sb.Undecided):
                await asyncio.sleep(0.5)
    world.execute("INSERT OR IGNORE INTO ended VALUES (?, ?, ?)", (task, ended.action, ended.status))


def until_alone() -> None:
    """End with the process that started this one."""
    sys.stdin.read()
    os._exit(1)


async def main() -> None:
    """Work on all tasks that have not ended, some at once."""
    done = {task for (task,) in world.execute("SELECT task FROM ended")}
    room = asyncio.Semaphore(AT_ONCE)

    async def one(task: str) -> None:
        async with room:
            while True:
                try:
                    return await work(task)
                except sb.SessionBusy:  # the lease of the process that was killed
                    await asyncio.sleep(1)

    await asyncio.gather(*(one(f"t{n}") for n in range(FIRST, LAST) if f"t{n}" not in done))


if __name__ == "__main__":
    threading.Thread(target=until_alone, daemon=True).start()
    asyncio.run(main())
    box.close()
