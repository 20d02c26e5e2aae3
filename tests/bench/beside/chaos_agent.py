"""One agent process of `manage.py bench chaos`: takes its tasks through to an end, whatever fails and whenever it dies.

Reads nothing but its arguments: CONSOLE KEY SERVICE FOLDER FIRST LAST. Its tools are calls of a flaky service. It may be
killed at any instant and started again; then it goes on from its journal. How each task ended stands in FOLDER/ended.sqlite3.
"""

import asyncio
import os
import sqlite3
import sys
import threading
from pathlib import Path
from typing import Any

import httpx2

import switchboard as sb

AT_ONCE = 30
CONSOLE, KEY, SERVICE, FOLDER = sys.argv[1], sys.argv[2], sys.argv[3], Path(sys.argv[4])
TASKS = [f"t{n}" for n in range(int(sys.argv[5]), int(sys.argv[6]))]
JOURNAL = FOLDER / "journal.sqlite3"
QUICK = sb.Policy(attempts=3, base_s=0.02, cap_s=0.1, timeout_s=2, grace_s=0.1)

ended = sqlite3.connect(FOLDER / "ended.sqlite3", isolation_level=None, timeout=30)
ended.execute("PRAGMA journal_mode = WAL")
ended.execute("CREATE TABLE IF NOT EXISTS ended (task TEXT PRIMARY KEY, how TEXT)")
ended.execute("CREATE TABLE IF NOT EXISTS met (class TEXT PRIMARY KEY, times INTEGER)")
service = httpx2.AsyncClient(base_url=SERVICE, timeout=10)
client = sb.Client(CONSOLE, key=KEY, spool=FOLDER / "spool")
box = sb.Toolbox(
    client, policies={"quick": QUICK}, default_breaker=sb.BreakerPolicy(min_calls=10_000), open_deadline_s=5
)


async def ask(verb: str, body: dict[str, Any], key: str | None = None) -> Any:
    """One request; what is no success is raised, and what cannot be read is a crash of the tool."""
    headers = {"Idempotency-Key": key} if key else {}
    return sb.raise_for(await service.post(f"/{verb}", json=body, headers=headers)).json()


@box.tool(effect="read", policy="quick", fallbacks=[sb.StaleCache()])
async def search(city: str) -> Any:
    """Look for something."""
    return await ask("search", {"city": city})


@box.tool(effect="write", policy="quick", compensate="cancel", reconcile="find")
async def book(what: str) -> Any:
    """A write that knows no keys: done twice, it is done twice."""
    return await ask("book", {"what": what})


@box.tool(effect="write", policy="quick", compensate="cancel", reconcile="find", payment=True)
async def pay(what: str) -> Any:
    """Another one, with money in it."""
    return await ask("pay", {"what": what})


@box.tool(effect="idempotent_write", policy="quick", compensate="cancel")
async def seat(what: str, ctx: sb.Context) -> Any:
    """A write with a key."""
    return await ask("seat", {"what": what}, ctx.idempotency_key)


@box.tool(effect="idempotent_write", policy="quick", batch="parts", compensate="unpack")
async def pack(parts: list[str], ctx: sb.Context) -> sb.Items:
    """A batch whose items fail one by one."""
    busy = sb.ToolFailure("transient", "BUSY", executed="no")
    return sb.Items(
        sb.Item(each["key"], "failed", error=busy) if each["failed"] else sb.Item(each["key"], "succeeded", data=each)
        for each in await ask("pack", {"parts": parts}, ctx.idempotency_key)
    )  # fmt: skip


@box.tool(effect="idempotent_write", policy="quick")
async def unpack(parts: list[str]) -> list[str]:
    """Take a batch back."""
    for part in parts:
        await ask("cancel", {"what": part})
    return parts


@box.tool(effect="read", policy="quick")
async def find(what: str) -> Any:
    """Whether it has happened."""
    return await ask("find", {"what": what})


@box.tool(effect="idempotent_write", policy="quick")
async def cancel(what: str) -> Any:
    """Take it back."""
    return await ask("cancel", {"what": what})


def note(result: sb.Result) -> None:
    """Count what the calls met."""
    classes = [each.class_.value for each in result.attempts if each.class_] if not result.replayed else []
    for each in classes:
        ended.execute("INSERT INTO met VALUES (?, 1) ON CONFLICT DO UPDATE SET times = times + 1", [each])


async def life(task: str) -> str:
    """Take a task to its end; on a restart it goes on where it was."""
    async with box.session(
        id=task, goal=f"Trip {task}", journal=JOURNAL, limits=sb.Limits(deadline_s=None)
    ) as session:
        note(await session.call("search", {"city": task}))
        for tool in ("book", "seat", "pack", "pay"):
            parts = {"parts": [f"{task}-pack-{n}" for n in range(3)]}
            result = await session.call(tool, parts if tool == "pack" else {"what": f"{task}-{tool}"})
            note(result)
            if result.case is not None:
                return await settled(session, result)
            if not result.ok:
                return "compensated" if (await session.compensate()).complete else "with a person"
        return "succeeded"


async def settled(session: sb.Session, result: sb.Result) -> str:
    """People have the case. Some decide soon; what they decide is done."""
    while True:
        try:
            outcome = await session.settle(result.case, timeout=3)
        except sb.Undecided:  # before Unreachable, which it is a kind of
            return "with a person"
        except sb.Unreachable:
            await asyncio.sleep(1)
        else:
            return "as a person decided" if outcome.status == "executed" else "with a person"


async def work(task: str) -> None:
    """One task, and nobody is told that it has ended before the console knows its cases."""
    how = await life(task)
    while how != "succeeded":
        async with box.session(id=task, journal=JOURNAL) as session:
            if all(case.id for case in session.cases):
                break
        await asyncio.sleep(1)
    ended.execute("INSERT OR IGNORE INTO ended VALUES (?, ?)", (task, how))


def until_alone() -> None:
    """End with the process that started this one."""
    sys.stdin.read()
    os._exit(1)


async def main() -> None:
    """Work on all tasks that have not ended, some at once."""
    done = {task for (task,) in ended.execute("SELECT task FROM ended")}
    room = asyncio.Semaphore(AT_ONCE)

    async def one(task: str) -> None:
        async with room:
            await work(task)

    await asyncio.gather(*(one(task) for task in TASKS if task not in done))


if __name__ == "__main__":
    threading.Thread(target=until_alone, daemon=True).start()
    asyncio.run(main())
    box.close()
    client.close()
