"""How long a decision takes from its commit to the agent that waits for it.

`manage.py bench decisions [--agents 100] [--decisions 200]`: a console of its own, embedded, or on DATABASE_URL and
REDIS_URL where they are set; that many agents wait on that many real sockets, and one process waits with the SDK. A
commit's moment is when the console's hook after it runs; both clocks are this machine's. Beside it, on the same servers:
with Redis, raw pub/sub; with PostgreSQL and DBOS_PYTHON naming a Python that has `dbos`, its `recv`.
"""

import argparse
import asyncio
import gc
import json
import os
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx2
import websockets

ROOT = Path(__file__).resolve().parents[2]
BY_SDK = 50  # of the waiting ones, so many are calls of the SDK, in one process of their own
SERVER = """
import json, os, sys, threading, time

os.environ["DJANGO_SETTINGS_MODULE"] = "console.settings"
import django; django.setup()
from django.core.management import call_command
from django.utils.timezone import now
call_command("migrate", verbosity=0)
from console.kit import hints
from console.kit.actor import SYSTEM
from console.people import operations as people
from console.people.roles import Role
from telemetry import operations as facts
from telemetry.models import Agent
def first():
    person = people.create_person(name="ana", roles=frozenset({Role.OPERATOR}), by=SYSTEM, at=now())
    token = people.issue_token(person_id=person, label="bench", by=SYSTEM, at=now())
    key = facts.issue_key(agent_id=facts.create_agent(name="bench", by=SYSTEM, at=now()), by=SYSTEM, at=now())
    return {"key": key, "token": token}
def first_time():
    call_command("collectstatic", interactive=False, verbosity=0)
    return first()
secrets = {} if Agent.objects.filter(name="bench").exists() else first_time()
import resource
most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
send, at = hints.send, {}
def stamped(group, *messages):
    began = time.time_ns()
    for message in messages:
        if message["type"] == "decision.made":
            at[message["decision_id"]] = began
    send(group, *messages)
hints.send = stamped
from console.serving.server import Server, config
ready = lambda: print(json.dumps(secrets), flush=True)
server = Server(config("127.0.0.1", int(sys.argv[1])), ready=ready)
def until_told():
    sys.stdin.read()
    server.should_exit = True
threading.Thread(target=until_told, daemon=True).start()
server.run()
print(json.dumps(at), flush=True)
"""
STEP = {
    "id": "s1",
    "tool": "upgrade.status",
    "args": {"key": "k"},
    "side_effect": "read",
    "idempotency_key": "k",
}
CASE = {
    "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
    "title": "Upgrade sent, no answer",
    "goal": "Book it",
    "trigger": "unknown_outcome",
    "severity": "high",
    "proposals": [{"id": "A", "kind": "continue", "title": "Look", "steps": [STEP]}],
}


class Console:
    """The console under measurement, and who talks to it."""

    def __init__(self):
        self.port = free_port()
        self.home = tempfile.mkdtemp()
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self):
        """Start it, or start it again on the same data."""
        env = {
            **os.environ,
            "SWITCHBOARD_DATA": self.home,
            "LOG_LEVEL": "ERROR",
            "SECRET_KEY": "bench" * 10,
        }
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVER, str(self.port)],
            cwd=ROOT,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        told = json.loads(self.process.stdout.readline())
        if told:
            self.key, self.token = told["key"], told["token"]

    def rss(self):
        """Bytes the console holds."""
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * resource.getpagesize()

    def commits(self):
        """Stop it; give when each decision was committed."""
        self.process.stdin.close()
        return json.loads(self.process.stdout.readline())

    def client(self, secret):
        return httpx2.AsyncClient(
            base_url=self.url, headers={"Authorization": f"Bearer {secret}"}, timeout=60
        )


class Agent:
    """One agent with a socket of its own."""

    def __init__(self, case_id):
        self.case_id = case_id

    async def wait(self, console, got, ready):
        headers = {"Authorization": f"Bearer {console.key}"}
        address = f"ws://127.0.0.1:{console.port}/ws/agent/v1"
        async with websockets.connect(
            address, additional_headers=headers, compression=None, ping_interval=None
        ) as line:
            await line.recv()
            await line.send(json.dumps({"type": "subscribe", "escalation_ids": [self.case_id]}))
            ready.release()
            told = json.loads(await line.recv())
            got[told["decision_id"]] = time.time_ns()
            await line.send(
                json.dumps({"type": "ack", **{n: told[n] for n in ("decision_id", "args_digest")}})
            )
            await asyncio.sleep(0.5)


async def open_cases(console, count):
    async with console.client(console.key) as agent:
        ids = []
        for n in range(count):
            answer = await agent.post("/api/v1/escalations", json={**CASE, "key": f"case-{n}"})
            assert answer.status_code == 201, answer.text
            ids.append(answer.json()["id"])
        return ids


async def decide(console, case_ids):
    async with console.client(console.token) as person:
        for case_id in case_ids:
            said = {"decision_key": "d", "base_revision": 1, "action": "approve", "proposal_id": "A"}
            answer = await person.post(f"/api/v1/escalations/{case_id}/decision", json=said)
            assert answer.status_code == 201, answer.text
            await asyncio.sleep(0.005)


async def by_sdk(console, ids):
    """Start a process whose SDK calls wait for these cases; it is ready when this returns."""
    script = Path(__file__).parent / "beside" / "sdk_waiting.py"
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(script), stdin=pipe, stdout=pipe, limit=2**20
    )
    process.stdin.write(json.dumps({"url": console.url, "key": console.key, "ids": ids}).encode() + b"\n")
    assert (await process.stdout.readline()).strip() == b"ready"
    return process


async def measure(console, agents, decisions):
    ids = await open_cases(console, agents)
    sdk_ids, socket_ids = ids[:BY_SDK], ids[BY_SDK:]
    got, ready = {}, asyncio.Semaphore(0)
    before = console.rss()
    waiting = []
    for each in socket_ids:
        waiting.append(asyncio.create_task(Agent(each).wait(console, got, ready)))
        await asyncio.sleep(0)
    for _ in socket_ids:
        await ready.acquire()
    await asyncio.sleep(1.5)
    each = (console.rss() - before) / max(1, len(socket_ids)) / 1024
    sdk = await by_sdk(console, sdk_ids)
    gc.freeze()
    await decide(console, spread([*socket_ids[: max(0, decisions - BY_SDK)], *sdk_ids]))
    got_by_sdk = json.loads(await asyncio.wait_for(sdk.stdout.readline(), 30))
    await asyncio.sleep(1)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    await sdk.wait()
    assert len(got_by_sdk) == len(sdk_ids)
    return got, got_by_sdk, each


def spread(ids):
    """Decide the SDK's cases among the others, not after them."""
    return [case_id for _, case_id in sorted((hash(case_id) % 1000, case_id) for case_id in ids)]


async def raw_pubsub(url, rounds=500):
    """What Redis itself takes from publish to receipt, on this machine, just now."""
    from redis import asyncio as redis  # noqa: PLC0415  # only where there is one

    one, two = redis.from_url(url), redis.from_url(url)
    room = two.pubsub()
    await room.subscribe("bench")
    await room.get_message(timeout=5)
    took = []
    for _ in range(rounds):
        began = time.time_ns()
        await one.publish("bench", str(began))
        while (message := await room.get_message(ignore_subscribe_messages=True, timeout=5)) is None:
            continue
        took.append((time.time_ns() - int(message["data"])) / 1e6)
        await asyncio.sleep(0.002)
    await room.aclose()
    await one.aclose()
    await two.aclose()
    return took


def dbos(python, url, agents, sent):
    """What DBOS takes for the same, in a process of its own."""
    script = Path(__file__).parent / "beside" / "dbos_recv.py"
    argv = [python, str(script), url, str(agents), str(sent)]
    done = subprocess.run(argv, stdout=subprocess.PIPE, text=True, check=True, timeout=300)
    return json.loads(done.stdout.splitlines()[-1])


def told(name, milliseconds):
    rows = sorted(milliseconds)
    at = lambda share: rows[min(len(rows) - 1, int(len(rows) * share))]  # noqa: E731
    print(
        f"{name:34} n={len(rows):4}  p50 {statistics.median(rows):6.2f}  p90 {at(0.9):6.2f}  p99 {at(0.99):6.2f} ms"
    )


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--agents", type=int, default=100)
    parser.add_argument("--decisions", type=int, default=200)
    asked = parser.parse_args()
    console = Console()
    got, by_sdk_, each = asyncio.run(measure(console, asked.agents, asked.decisions))
    commits = console.commits()
    where = "PostgreSQL, Redis" if os.environ.get("REDIS_URL") else "embedded"
    print(f"{where}: {asked.agents} agents wait; each socket costs the console {each:.0f} KiB")
    told("commit → SDK call returned", [(got_at - commits[k]) / 1e6 for k, got_at in by_sdk_.items()])
    if got:
        told("commit → socket of an agent", [(got_at - commits[k]) / 1e6 for k, got_at in got.items()])
    if os.environ.get("REDIS_URL"):
        told("raw Redis publish → receipt", asyncio.run(raw_pubsub(os.environ["REDIS_URL"])))
    if os.environ.get("DBOS_PYTHON") and (url := os.environ.get("DATABASE_URL")):
        sent = min(asked.agents, asked.decisions)
        told("DBOS send → recv returned", dbos(os.environ["DBOS_PYTHON"], url, asked.agents, sent))


if __name__ == "__main__":
    main()
