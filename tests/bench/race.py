"""Many cases, eight racing operators, agents and console killed at random: who decided, who applied, what adds up.

`manage.py bench race [--cases 10000] [--agents 4] [--seed 1] [--kill-every 20]`: embedded, or on DATABASE_URL and REDIS_URL. Agent processes
hand tasks over through the SDK; eight people decide over the page, the API and in bulk, all of them at the same cases;
the console is killed and started again, and so are the agents. At the end the books are read: one decision per case,
one effect per approved case with the decided arguments, every digest recomputed, the audit's chain verified.
"""

import argparse
import asyncio
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import httpx2

from tests.bench.decisions import ROOT, Console

OPERATORS = 8
BESIDE = Path(__file__).parent / "beside"
WORLD = """
PRAGMA journal_mode = WAL;
CREATE TABLE IF NOT EXISTS effects (task TEXT, amount INTEGER);
CREATE TABLE IF NOT EXISTS ended (task TEXT PRIMARY KEY, action TEXT, status TEXT);
"""


class Operator:
    """One person who decides whatever is open, each time another way; `met` counts how the console answered."""

    def __init__(self, url, secrets, dice):
        self.dice, self.met, self.token = dice, Counter(), secrets["token"]
        self.api = httpx2.AsyncClient(
            base_url=url, headers={"Authorization": f"Bearer {self.token}"}, timeout=30
        )
        self.browser = httpx2.AsyncClient(base_url=url, timeout=30, follow_redirects=False)
        self.link = f"/signin/{secrets['link']}/"

    async def sign_in(self):
        page = await self.browser.get(self.link)
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)[1]
        answer = await self.browser.post(
            self.link, data={"csrfmiddlewaretoken": token}, headers={"Referer": str(page.url)}
        )
        assert answer.status_code == 302, answer.status_code

    async def work(self, over):
        while not over.is_set():
            try:
                await self.some()
            except httpx2.HTTPError:
                self.met["console away"] += 1
                await asyncio.sleep(0.2)

    async def some(self):
        listed = await self.api.get("/api/v1/escalations", params={"view": "open", "limit": 60})
        rows = listed.json()["escalations"] if listed.status_code == 200 else []
        if not rows:
            await asyncio.sleep(0.2)
            return
        self.dice.shuffle(rows)
        if self.dice.random() < 0.4:
            await self.in_bulk(rows[:20])
        for row in rows[:5]:
            await (self.by_page(row) if self.dice.random() < 0.2 else self.by_api(row))

    async def by_api(self, row):
        said = self.dice.choice(
            [
                {"action": "approve", "proposal_id": "A"},
                {
                    "action": "edit",
                    "proposal_id": "A",
                    "steps": [{"id": "refund", "run": True, "args": self.edited(row)}],
                },
                {"action": "reject", "message": "Not this one."},
            ]
        )
        body = {"decision_key": f"{id(self)}", "base_revision": row["revision"], **said}
        answer = await self.api.post(f"/api/v1/escalations/{row['id']}/decision", json=body)
        self.met[f"api {answer.status_code}"] += 1

    def edited(self, row):
        return {"task": row["title"].removeprefix("Charged twice: "), "amount": self.dice.randint(1, 99)}

    async def by_page(self, row):
        page = await self.browser.get(f"/cases/{row['ref']}/")
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)[1]
        said = {
            "csrfmiddlewaretoken": token,
            "base_revision": "1",
            "action": self.dice.choice(["approve", "reject"]),
            "reason": "No.",
        }
        answer = await self.browser.post(
            f"/cases/{row['ref']}/decision/", data=said, headers={"Referer": str(page.url)}
        )
        self.met[f"page {answer.status_code}"] += 1

    async def in_bulk(self, rows):
        items = [{"id": row["id"], "base_revision": row["revision"]} for row in rows]
        body = {
            "key": f"{self.dice.random()}",
            "verb": self.dice.choice(["approve", "reject"]),
            "items": items,
            "message": "All of them.",
        }
        answer = await self.api.post("/api/v1/escalations/bulk", json=body)
        done = (
            Counter(each["code"] or "done" for each in answer.json()["results"])
            if answer.status_code == 200
            else Counter()
        )
        self.met.update({f"bulk {code}": n for code, n in done.items()} or {f"bulk {answer.status_code}": 1})


def script(name, console, *words):
    """Run one of the scripts beside this file on the console's data; give what it prints."""
    said = {
        "SWITCHBOARD_DATA": console.home,
        "DJANGO_SETTINGS_MODULE": "console.settings",
        "PYTHONPATH": str(ROOT),
    }
    env = {**os.environ, **said, "SECRET_KEY": "bench" * 10, "LOG_LEVEL": "ERROR"}
    argv = [sys.executable, str(BESIDE / name), *words]
    done = subprocess.run(argv, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


class Agents:
    """The agent processes, each with a share of the tasks and a folder of its own."""

    def __init__(self, console, cases, count):
        self.kills = 0
        share = -(-cases // count)
        self.parts = [(n, n * share, min(cases, (n + 1) * share)) for n in range(count)]
        self.console = console
        self.running = {n: self.start(n, first, last) for n, first, last in self.parts}

    def folder(self, n):
        return Path(self.console.home) / f"agent-{n}"

    def start(self, n, first, last):
        self.folder(n).mkdir(exist_ok=True)
        sqlite3.connect(self.folder(n) / "world.sqlite3").executescript(WORLD)
        words = [self.console.url, self.console.key, str(self.folder(n)), str(first), str(last)]
        log = (self.folder(n) / "log").open("ab")
        return subprocess.Popen(
            [sys.executable, str(BESIDE / "race_agent.py"), *words],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stderr=log,
        )

    def kill_one(self, dice):
        n, first, last = dice.choice(self.parts)
        if self.running[n].poll() is None:
            self.running[n].send_signal(signal.SIGKILL)
            self.running[n].wait()
            self.kills += 1
        self.running[n] = self.start(n, first, last)

    def ended(self):
        return all(process.poll() == 0 for process in self.running.values())

    def done(self):
        """So many tasks have ended."""
        worlds = [sqlite3.connect(self.folder(n) / "world.sqlite3") for n, _, _ in self.parts]
        counted = sum(world.execute("SELECT count(*) FROM ended").fetchone()[0] for world in worlds)
        for world in worlds:
            world.close()
        return counted

    def books(self):
        effects, ends = [], {}
        for n, _, _ in self.parts:
            world = sqlite3.connect(self.folder(n) / "world.sqlite3")
            effects += world.execute("SELECT task, amount FROM effects").fetchall()
            ends |= {task: (action, status) for task, action, status in world.execute("SELECT * FROM ended")}
        return effects, ends


async def kill_at_random(console, agents, dice, every_s, over):
    killed = 0
    while every_s and not over.is_set():
        await asyncio.sleep(dice.uniform(0.5, 1.5) * every_s)
        if dice.random() < 0.35:
            console.process.kill()
            await asyncio.to_thread(console.process.wait)
            await asyncio.to_thread(console.start)
            killed += 1
        elif not agents.ended():
            agents.kill_one(dice)
    return killed


async def run(asked):
    console, dice = Console(), random.Random(asked.seed)
    secrets = script("race_people.py", console, str(OPERATORS))
    operators = [
        Operator(console.url, each, random.Random(f"{asked.seed}:{n}")) for n, each in enumerate(secrets)
    ]
    for each in operators:
        await each.sign_in()
    agents, over, quiet = Agents(console, asked.cases, asked.agents), asyncio.Event(), asyncio.Event()
    people = [asyncio.create_task(each.work(over)) for each in operators]
    killer = asyncio.create_task(kill_at_random(console, agents, dice, asked.kill_every, quiet))
    began = said = time.monotonic()
    while not agents.ended():
        await asyncio.sleep(1)
        done = agents.done()
        if time.monotonic() - said > 30:
            said = time.monotonic()
            print(f"  {done} of {asked.cases} ended after {said - began:.0f} s", flush=True)
        if done > 0.98 * asked.cases:
            quiet.set()
    quiet.set()
    over.set()
    killed = await killer
    await asyncio.gather(*people)
    met = sum((each.met for each in operators), Counter())
    took = time.monotonic() - began
    books = script("race_judge.py", console)
    console.process.kill()
    return judged(
        asked,
        books,
        agents,
        {"console kills": killed, "agent kills": agents.kills, "seconds": round(took)},
        met,
    )


def judged(asked, books, agents, ran, met):
    effects, ends = agents.books()
    made, decided = Counter(task for task, _ in effects), books.pop("decided")
    expected = {(task, row["amounts"][0]) for task, row in decided.items() if row["amounts"]}
    verdict = {
        "cases": books["cases"] == asked.cases,
        "exactly one decision each": books["decisions"] == asked.cases and books["twice"] == 0,
        "no effect twice": all(n == 1 for n in made.values()),
        "every effect is the decided one, and none is missing": set(effects) == expected,
        "every task ended": len(ends) == asked.cases,
        "every digest matches": books["digests_wrong"] == 0,
        "the audit's chain holds": books["breaks"] == 0,
    }
    executions = Counter(row["execution"] for row in decided.values())
    print(
        json.dumps(
            {
                **ran,
                **books,
                "effects": len(effects),
                "executions": executions,
                "answers met": dict(sorted(met.items())),
            },
            indent=1,
        )
    )
    for name, holds in verdict.items():
        print(f"{'holds' if holds else 'BROKEN':7} {name}")
    return all(verdict.values())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--agents", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kill-every", type=float, default=20.0, metavar="SECONDS", help="0: never")
    sys.exit(0 if asyncio.run(run(parser.parse_args())) else 1)


if __name__ == "__main__":
    main()
