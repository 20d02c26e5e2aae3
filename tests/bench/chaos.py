"""Two thousand tasks; agents and console are killed at random, the service they call fails in every way there is.

`manage.py bench chaos [--tasks 2000] [--agents 3] [--seed 1]`: a real console, embedded or on DATABASE_URL and REDIS_URL,
and real agent processes, all of which SIGKILL finds at any instant and which are started again. The service keeps its own
ledger of what it did. At the end the books are compared: no effect twice, no task lost, and every task succeeded, was taken
back whole, or is or was in front of a person. `bench seeds` dies in one process, where every death comes from a seed.
"""

import argparse
import asyncio
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import httpx2

from tests.bench.beside.chaos_service import Service
from tests.bench.decisions import ROOT, Console
from tests.bench.race import script

AGENT = Path(__file__).parent / "beside" / "chaos_agent.py"
WRITES = ("book", "seat", "pay", "pack-0", "pack-1", "pack-2")
ASKED = re.compile(r"t\d+-(?:book|seat|pay)")


class Agents:
    """The agent processes, each with a share of the tasks and a folder of its own."""

    def __init__(self, console, service, tasks, count):
        self.kills = 0
        share = -(-tasks // count)
        home = Path(console.home)
        self.parts = {home / f"agent-{n}": (n * share, min(tasks, (n + 1) * share)) for n in range(count)}
        self.words = [console.url, console.key, service.url]
        self.running = {folder: self.start(folder) for folder in self.parts}

    def start(self, folder):
        folder.mkdir(exist_ok=True)
        first, last = self.parts[folder]
        argv = [sys.executable, str(AGENT), *self.words, str(folder), str(first), str(last)]
        with (folder / "log").open("ab") as log:
            return subprocess.Popen(argv, cwd=ROOT, stdin=subprocess.PIPE, stderr=log)

    def kill_one(self, dice):
        """Kill one that is still at work."""
        at_work = [folder for folder, process in self.running.items() if process.poll() is None]
        if at_work:
            process = self.running[dice.choice(at_work)]
            process.send_signal(signal.SIGKILL)
            process.wait()
            self.kills += 1

    def begin_again(self):
        """Start what was killed; what ended by itself has nothing left to do."""
        for folder, process in self.running.items():
            if process.poll() not in {None, 0}:
                self.running[folder] = self.start(folder)

    @property
    def ended(self):
        return all(process.poll() == 0 for process in self.running.values())

    def books(self, table):
        """All rows of a table of every agent."""
        rows = []
        for folder in self.parts:
            with sqlite3.connect(folder / "ended.sqlite3") as kept:
                if kept.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [table]).fetchone():
                    rows += kept.execute(f"SELECT * FROM {table}").fetchall()
            kept.close()
        return rows


class Person:
    """Decides some cases, each another way, and says truly what has happened where that is asked."""

    def __init__(self, console, service, dice):
        self.api = httpx2.AsyncClient(
            base_url=console.url, headers={"Authorization": f"Bearer {console.token}"}, timeout=30
        )
        self.service, self.dice, self.left, self.decided = service, dice, set(), Counter()

    async def work(self):
        while True:
            try:
                await self.some()
            except httpx2.HTTPError:
                self.decided["(console away)"] += 1
            await asyncio.sleep(0.3)

    async def some(self):
        listed = await self.api.get("/api/v1/escalations", params={"view": "open", "limit": 100})
        for row in listed.json()["escalations"] if listed.status_code == 200 else []:
            if row["id"] in self.left:
                continue
            self.left.add(row["id"])
            if self.dice.random() < 0.6:
                await self.decide(row["id"])

    async def decide(self, case_id):
        whole = await self.api.get(f"/api/v1/escalations/{case_id}")
        said = self.word(whole.json(), whole.text)
        body = {"decision_key": case_id, "base_revision": whole.json()["revision"], **said}
        answer = await self.api.post(f"/api/v1/escalations/{case_id}/decision", json=body)
        self.decided[f"{said['action']} {answer.status_code}"] += 1

    def word(self, case, text):
        offered = [each["id"] for each in case.get("proposals") or []]
        if case.get("question"):
            asked = ASKED.search(text)
            happened = bool(asked) and asked[0] in self.service.ledger.standing
            return {"action": "respond", "answer": {"happened": happened}}
        if offered and self.dice.random() < 0.7:
            return {"action": "approve", "proposal_id": self.dice.choice(offered)}
        return {"action": "reject", "message": "Not this one."}


class Progress:
    """How many tasks have ended. Deaths come by it and not by the clock, so that a busy machine has as many of them."""

    def __init__(self, agents, tasks):
        self.agents, self.tasks, self.ended, self.moved = agents, tasks, 0, asyncio.Condition()

    @property
    def quiet(self):
        """The last few tasks are left in peace."""
        return self.ended > 0.98 * self.tasks

    async def by(self, more):
        """Wait until so many more have ended."""
        until = self.ended + more
        async with self.moved:
            await self.moved.wait_for(lambda: self.ended >= until or self.quiet)

    async def watched(self):
        """Count until all have ended, and say now and then how far it is; give the seconds."""
        began = said = time.monotonic()
        while not self.agents.ended:
            await asyncio.sleep(0.3)
            self.agents.begin_again()  # whatever they died of
            await self.say(len(self.agents.books("ended")))
            if time.monotonic() - said > 20:
                said = time.monotonic()
                print(f"  {self.ended} of {self.tasks} ended after {said - began:.0f} s", flush=True)
        await self.say(self.tasks)
        return time.monotonic() - began

    async def say(self, ended):
        """Wake whoever waits for it."""
        async with self.moved:
            self.ended = ended
            self.moved.notify_all()


async def kill_agents(agents, dice, progress):
    """Kill one now and then."""
    while not progress.quiet:
        await progress.by(dice.randint(4, 25))
        await asyncio.sleep(dice.uniform(0, 1))
        agents.kill_one(dice)


async def kill_console(console, dice, progress):
    """Kill it now and then, leave it dead for a while; give how often it died."""
    killed = 0
    while not progress.quiet:
        await progress.by(dice.randint(30, 120))
        await asyncio.sleep(dice.uniform(0, 1))
        console.process.kill()
        await asyncio.to_thread(console.process.wait)
        await asyncio.sleep(dice.uniform(0, 3))
        await asyncio.to_thread(console.start)
        killed += 1
    return killed


def judged(service, ends, cases, tasks):
    """What the books say: a list of sentences, each with what speaks against it."""
    done, standing = service.ledger.done, service.ledger.standing
    known = {task for task, _, _ in cases}

    def rows(how):
        return [task for task, said in ends.items() if said == how]

    return {
        "no effect twice": [what for what, times in done.items() if times > 1],
        "no task lost": [f"t{n}" for n in range(tasks) if f"t{n}" not in ends],
        "what succeeded was done, all of it": [
            task for task in rows("succeeded") if any(f"{task}-{each}" not in standing for each in WRITES)
        ],
        "of what was taken back nothing stands": [
            task for task in rows("compensated") if any(f"{task}-{each}" in standing for each in WRITES)
        ],
        "what a person has is on the console": [
            task for task in (*rows("with a person"), *rows("as a person decided")) if task not in known
        ],
    }


async def run(asked):
    dice = random.Random(asked.seed)
    console, service = Console(), Service(random.Random(asked.seed + 1))
    person = Person(console, service, random.Random(asked.seed + 2))
    agents = Agents(console, service, asked.tasks, asked.agents)
    progress, deciding = Progress(agents, asked.tasks), asyncio.create_task(person.work())
    killers = kill_agents(agents, dice, progress), kill_console(console, dice, progress)
    took, _, killed = await asyncio.gather(progress.watched(), *killers)
    deciding.cancel()
    await asyncio.gather(deciding, return_exceptions=True)
    cases = script("chaos_judge.py", console)
    console.process.kill()
    console.process.wait()
    ends = dict(agents.books("ended"))
    met = Counter()
    for name, times in agents.books("met"):
        met[name] += times
    print(f"{asked.tasks} tasks in {took:.0f} s, seed {asked.seed}")
    table("killed", {"agents": agents.kills, "console": killed})
    table("what the service did to them", service.ledger.met)
    table("classes of failed attempts", met)
    table("what people did", person.decided)
    table("how the tasks ended", Counter(ends.values()))
    table("books", {"effects": len(service.ledger.done), "cases": len(cases)})
    verdict = judged(service, ends, cases, asked.tasks)
    for name, against in verdict.items():
        print(f"{'BROKEN' if against else 'holds':7} {name}", *against[:10])
    fine = not any(verdict.values())
    if fine:
        shutil.rmtree(console.home)
    else:
        print(f"the agents' journals and logs: {console.home}")
    return fine


def table(title, rows):
    """Print names and numbers under each other."""
    print(title)
    for name, number in sorted(rows.items()):
        print(f"  {name:<24}{number:>8}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tasks", type=int, default=2_000)
    parser.add_argument("--agents", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    sys.exit(0 if asyncio.run(run(parser.parse_args())) else 1)


if __name__ == "__main__":
    main()
