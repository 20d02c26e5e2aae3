"""What reporting adds to a call, and how long a decision takes from the SDK's mailbox to the waiting agent.

The console is a process of its own. Processor time is measured, because it is the same on a busy machine; every figure
is a median.
"""

import asyncio
import os
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

import switchboard

SUPPORT = Path(__file__).resolve().parents[2] / "sdk" / "tests" / "support"
CONSOLE = """
import sys
from double import Double
print(Double().start().url, flush=True)
sys.stdin.read()
"""
CALL = {
    "tool": "search_flights", "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736", "side_effect": "read", "dependency": "flights", "timeout_ms": 5000,
    "duration_ms": 12.5, "outcome": "succeeded", "call_id": "", "started_at": "2030-01-01T09:00:00+00:00",
    "args": {"origin": "PVG", "destination": "NRT", "date": "2030-01-02", "adults": 2},
    "result": [{"flight": "SB12", "price": 420.5, "seats": ["12A", "12B"]}, {"flight": "SB14", "price": 390.0}],
    "attempts": [{"n": 1, "started_at": "2030-01-01T09:00:00+00:00", "duration_ms": 12.5, "wait_ms": 0.0}],
}  # fmt: skip
A_BLOCK, BLOCKS, WAITS = 1_000, 15, 200


def block(client, call):
    """Microseconds of the agent's own thread, and of the whole process, that a call takes."""
    process, thread = time.process_time(), time.thread_time()
    for _ in range(A_BLOCK):
        call()
    thread = time.thread_time() - thread
    client.flush(30)
    return thread / A_BLOCK * 1e6, (time.process_time() - process) / A_BLOCK * 1e6


def cost(client):
    """What a report and a recorded block cost, each as (own thread, whole process)."""

    def reported():
        client.report(CALL)

    def recorded():
        with client.call("search_flights", side_effect="read", args=CALL["args"]) as call:
            call.result(CALL["result"])

    block(client, reported)
    for call in (reported, recorded):
        rows = [block(client, call) for _ in range(BLOCKS)]
        yield tuple(statistics.median(column) for column in zip(*rows, strict=True))


def hand_over(client):
    """From the row's arrival in the SDK's own thread to the waiter, milliseconds: a thread, a coroutine."""
    mailbox, engine = client._parts.line.mailbox, client._parts.line.engine
    row = {"kind": "expired", "decision_id": "d", "escalation_id": "c", "revision": 1, "message": ""}
    in_thread, in_loop = [], []

    def wait(waiter):
        engine.wait(waiter.future, 5)
        in_thread.append((time.perf_counter() - began) * 1000)

    async def wait_async():
        for _ in range(WAITS):
            waiter = mailbox.watch("c", 1)
            task = asyncio.create_task(engine.wait_async(waiter.future, 5))
            await asyncio.sleep(0.001)
            sent = []
            threading.Thread(target=lambda: (sent.append(time.perf_counter()), mailbox.deliver(row))).start()  # noqa: B023
            await task
            in_loop.append((time.perf_counter() - sent[0]) * 1000)

    for _ in range(WAITS):
        waiter = mailbox.watch("c", 1)
        thread = threading.Thread(target=wait, args=(waiter,))
        thread.start()
        time.sleep(0.001)
        began = time.perf_counter()
        mailbox.deliver(row)
        thread.join()
    asyncio.run(wait_async())
    return statistics.median(in_thread), statistics.median(in_loop)


if __name__ == "__main__":
    argv = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(SUPPORT)!r})\n{CONSOLE}"]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as console:
        assert console.stdin, "the console is told by its input when to end"
        assert console.stdout, "and says its address"
        with switchboard.Client(console.stdout.readline().strip(), "sb_testtest_secret", spool=None) as agent:
            report, recorder = cost(agent)
            thread_ms, loop_ms = hand_over(agent)
            stats = agent.stats
        console.stdin.close()
    for name, (own, whole) in (("report", report), ("recorded block", recorder)):
        print(f"a {name} adds {own:.1f} µs to the agent's own thread, {whole:.1f} µs to its process")
    print(f"{stats.stored} stored, {stats.duplicate} duplicates, {stats.dropped} dropped")
    print(
        f"a decision reaches a waiting thread in {thread_ms:.2f} ms, a waiting coroutine in {loop_ms:.2f} ms"
    )
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; a quiet machine has less than 1")
