"""Two processes at one address: agents wait at either, decisions reach them from either, and one that dies is replaced."""

import json
import os
import signal
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.live.agents import Agent, call
from tests.live.house import started_by

pytestmark = pytest.mark.skipif(
    "REDIS_URL" not in os.environ, reason="several processes need PostgreSQL and Valkey"
)
AGENTS = 12
REPLACED_WITHIN_S = 60


def serving(house):
    """The processes that serve; Python's own tracker of resources is one more."""
    found = started_by(house.web.process.pid)
    return {pid for pid in found if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()}


def asked(url, key, body=None):
    """Ask on a connection of its own, which either process may get; give (status, answer)."""
    said = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    request = urllib.request.Request(url, json.dumps(body).encode() if body else None, said)
    with urllib.request.urlopen(request, timeout=40) as answer:
        return answer.status, json.loads(answer.read() or b"null")


@pytest.mark.parametrize("house", [2], indirect=True)
def test_waiting_agents_hear_from_either_process_and_one_that_dies_is_replaced(house):
    agent = Agent(house)
    house.sign_in_link("ana", "operator")
    token = house.token("ana")
    decided(house, agent, token, "before")
    first = serving(house)
    assert len(first) == 2
    os.kill(min(first), signal.SIGKILL)
    until = time.monotonic() + REPLACED_WITHIN_S
    while len(now := serving(house)) < 2 or now == first:
        assert time.monotonic() < until, house.log()
        time.sleep(0.1)
    stored(house, agent)
    decided(house, agent, token, "after")
    os.kill(house.web.process.pid, signal.SIGKILL)
    until = time.monotonic() + REPLACED_WITHIN_S
    while [pid for pid in now if Path(f"/proc/{pid}").exists()]:
        assert time.monotonic() < until, "a process has outlived the one that started it"
        time.sleep(0.1)


def decided(house, agent, token, name):
    """Everybody waits on a connection of their own; each case is decided on another one."""
    cases = [agent.hand_over(f"{name}-{n}", title=f"{name} {n}")["id"] for n in range(AGENTS)]
    of_case = f"{house.url}/api/v1/escalations/{{}}/decision"
    with ThreadPoolExecutor(AGENTS) as pool:
        waits = [pool.submit(asked, f"{of_case.format(case)}?wait=30", agent.key) for case in cases]
        for case in cases:
            no = {"decision_key": f"no-{case}", "base_revision": 1, "action": "reject", "message": "No."}
            asked(of_case.format(case), token, no)
        told = [wait.result() for wait in waits]
    assert [(status, answer["escalation_id"], answer["action"]) for status, answer in told] == [
        (200, case, "reject") for case in cases
    ]


def stored(house, agent):
    """Reports are taken by both while the second one is on its way; what was answered is stored."""
    taken = []
    until = time.monotonic() + REPLACED_WITHIN_S
    while len(taken) < AGENTS:
        try:
            agent.report(call(f"c-{len(taken)}"))
        except (urllib.error.URLError, ConnectionError):
            assert time.monotonic() < until
            continue
        taken.append(f"c-{len(taken)}")
    for name in taken:
        assert asked(f"{house.url}/api/v1/calls/{name}", agent.key)[1]["stored"] is True
