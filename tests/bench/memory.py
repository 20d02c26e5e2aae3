"""What the one embedded process holds after an hour's worth of load, and whether it still grows.

`manage.py bench memory [--calls 360000] [--tools 500] [--agents 20] [--cases 200] [--within 200]`: a hundred calls a
second for an hour, sent as fast as they are taken, over that many tools and agents; every case has an agent that waits
for it on a socket of its own. The trend is a straight line
through the second half: it fails where that line would add more than a fifth in another hour.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
import urllib.request

import websockets

from tests.bench.decisions import CASE
from tests.bench.load.reports import BATCH, call, posted
from tests.bench.load.server import console
from tests.bench.load.wire import pour
from tests.live.house import manage

CONNECTIONS, SAMPLES = 4, 20
MB = 2**20


class Waiting:
    """Agents on sockets, each waiting for a case of its own."""

    def __init__(self, serving, cases):
        self.serving, self.cases, self.lines = serving, cases, []

    async def connect(self):
        for case_id in self.cases:
            line = await websockets.connect(
                f"ws://127.0.0.1:{self.serving.port}/ws/agent/v1",
                additional_headers={"Authorization": f"Bearer {self.serving.key}"},
                compression=None,
            )
            await line.recv()
            await line.send(json.dumps({"type": "subscribe", "escalation_ids": [case_id]}))
            self.lines.append(line)

    async def close(self):
        for line in self.lines:
            await line.close()


def open_cases(serving, count):
    ids = []
    for n in range(count):
        asked = urllib.request.Request(
            f"http://127.0.0.1:{serving.port}/api/v1/escalations",
            data=json.dumps({**CASE, "key": f"case-{n}"}).encode(),
            headers={"Authorization": f"Bearer {serving.key}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(asked) as answer:
            ids.append(json.load(answer)["id"])
    return ids


def poured(serving, keys, asked):
    """Send everything in samples; give the bytes held after each."""
    held = [serving.rss()]
    each = asked.calls // SAMPLES
    for sample in range(SAMPLES):
        requests = [
            posted(
                keys[n % len(keys)], [call(f"tool.{(n * BATCH + one) % asked.tools}") for one in range(BATCH)]
            )
            for n in range(each // BATCH)
        ]
        pour(serving.port, requests, 600, CONNECTIONS)
        held.append(serving.rss())
        print(f"  {(sample + 1) * each:,} calls: {held[-1] / MB:.0f} MB", flush=True)
    return held


def slope(numbers):
    """Give what a straight line through these adds at each step."""
    n, middle = len(numbers), (len(numbers) - 1) / 2
    mean = sum(numbers) / n
    return sum((x - middle) * (y - mean) for x, y in enumerate(numbers)) / sum(
        (x - middle) ** 2 for x in range(n)
    )


async def measure(serving, keys, asked):
    waiting = Waiting(serving, await asyncio.to_thread(open_cases, serving, asked.cases))
    await waiting.connect()
    held = await asyncio.to_thread(poured, serving, keys, asked)
    await waiting.close()
    return held


def main(argv):
    parser = argparse.ArgumentParser(prog="bench memory")
    for name, default in (
        ("calls", 360_000),
        ("tools", 500),
        ("agents", 20),
        ("cases", 200),
        ("within", 200),
    ):
        parser.add_argument(f"--{name}", type=int, default=default)
    asked = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "SWITCHBOARD_DATA": folder}
        with console(env) as serving:
            keys = [manage(env, "agent", "create", f"agent-{n}").split()[-1] for n in range(asked.agents)]
            began = time.monotonic()
            held = asyncio.run(measure(serving, keys, asked))
            took = time.monotonic() - began
    more = slope(held[len(held) // 2 :]) * SAMPLES
    print(
        f"{asked.calls:,} calls of {asked.tools} tools and {asked.agents} agents, {asked.cases} cases and sockets, in "
        f"{took:.0f} s: {held[0] / MB:.0f} MB before, {held[-1] / MB:.0f} MB after, {max(held) / MB:.0f} MB at most; "
        f"as many again would add {more / MB:.0f} MB"
    )
    sys.exit(1 if held[-1] > asked.within * MB or more > held[-1] / 5 else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
