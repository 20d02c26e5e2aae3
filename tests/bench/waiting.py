"""Agents that wait: what each socket costs the console, whether a decision is as quick among many, and a restart.

`manage.py bench waiting [--agents 10000]`: that many sockets on one process, each waiting for a case of its own. Then
some decisions are made and timed; then the console is killed and started again, and every agent comes back at once.
"""

import argparse
import asyncio
import json
import os
import resource
import time

import websockets

from tests.bench.decisions import CASE, Console, decide, told

AT_ONCE = 200
DECIDED = 100


class Fleet:
    """Many agents, each with a socket and a case; `got` is when each decision came."""

    def __init__(self, console, case_ids):
        self.console, self.case_ids = console, case_ids
        self.got, self.served = {}, 0
        self.all_served, self.all_replayed = asyncio.Event(), asyncio.Event()
        self.calls = asyncio.Semaphore(AT_ONCE)

    async def wait(self, case_id):
        headers = {"Authorization": f"Bearer {self.console.key}"}
        address = f"ws://127.0.0.1:{self.console.port}/ws/agent/v1"
        while True:
            try:
                async with self.calls:
                    line = await websockets.connect(
                        address,
                        additional_headers=headers,
                        compression=None,
                        ping_interval=None,
                        open_timeout=60,
                    )
                async with line:
                    await line.recv()
                    await line.send(json.dumps({"type": "subscribe", "escalation_ids": [case_id]}))
                    self.served += 1
                    if self.served == len(self.case_ids):
                        self.all_served.set()
                    while True:
                        message = json.loads(await line.recv())
                        self.got.setdefault(message["decision_id"], time.time_ns())
                        if len(self.got) == DECIDED:
                            self.all_replayed.set()
            except (OSError, websockets.WebSocketException, TimeoutError):
                await asyncio.sleep(0.2)

    def start(self):
        return [asyncio.create_task(self.wait(each)) for each in self.case_ids]


async def open_many(console, count):
    async with console.client(console.key) as agent:
        calls = asyncio.Semaphore(8)

        async def one(n):
            async with calls:
                answer = await agent.post("/api/v1/escalations", json={**CASE, "key": f"case-{n}"})
                assert answer.status_code == 201, answer.text
                return answer.json()["id"]

        return await asyncio.gather(*(one(n) for n in range(count)))


async def measure(console, agents):
    ids = await open_many(console, agents)
    before = console.rss()
    fleet = Fleet(console, ids)
    began = time.monotonic()
    waiting = fleet.start()
    await fleet.all_served.wait()
    joined = time.monotonic() - began
    await asyncio.sleep(2)
    print(
        f"{agents} agents were served in {joined:.1f} s; each costs the console {(console.rss() - before) / agents / 1024:.1f} KiB"
    )
    await decide(console, ids[:DECIDED])
    await asyncio.sleep(2)
    commits, got = await asyncio.to_thread(console.commits), dict(fleet.got)
    told("commit → socket of an agent", [(got[k] - at) / 1e6 for k, at in commits.items()])
    fleet.got.clear()
    fleet.served = 0
    fleet.all_served.clear()
    fleet.all_replayed.clear()
    began = time.monotonic()
    await asyncio.to_thread(console.start)
    await fleet.all_served.wait()
    await asyncio.wait_for(fleet.all_replayed.wait(), 60)
    print(
        f"after a restart all {agents} were served again in {time.monotonic() - began:.1f} s, {len(fleet.got)} decisions replayed, none lost"
    )
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    console.commits()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--agents", type=int, default=10_000)
    asked = parser.parse_args()
    wanted = asked.agents + 1_000
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, most), most))
    where = "PostgreSQL, Redis" if os.environ.get("REDIS_URL") else "embedded"
    print(where)
    asyncio.run(measure(Console(), asked.agents))


if __name__ == "__main__":
    main()
