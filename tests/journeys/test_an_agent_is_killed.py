"""The processes as they really run: an agent is killed while people think, and the decision is carried out once."""

import json
import os
import signal
import time
import urllib.request

import pytest

from console.bootstrap import children
from console.demo import fleet
from tests.console.demo.fake_http import HttpConsole

PATIENCE_S = 30
KEY = "sb_testtest_" + "k" * 32

pytestmark = [pytest.mark.live, pytest.mark.embedded]  # the console here is a fake one, without rows


def until(condition, what):
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.05)
    raise AssertionError(f"{what} did not happen within {PATIENCE_S} s.")


def read(url):
    with urllib.request.urlopen(url, timeout=5) as answer:
        return json.load(answer)


def serves(url):
    try:
        return read(f"{url}/health")["ok"]
    except OSError:
        return False


@pytest.fixture
def world(tmp_path):
    """Give a console, the running service's address, and the agent that is not started yet."""
    port = fleet.free_port()
    service = f"http://127.0.0.1:{port}"
    with HttpConsole() as console:
        travel, agent = fleet.members(
            console=console.url,
            keys={"trip-booker": KEY},
            data=tmp_path,
            rate=600,
            port=port,
            service=("--scenarios", "upgrade-hangs", "--calm", "--hang", "2", "--latency", "0"),
            agents=("--most", "1", "--pace", "0.05"),
        )
        running = [travel.start()]
        until(lambda: serves(service), "The service's start")

        def start():
            running.append(agent.start())
            return running[-1]

        yield console.console, service, start
        children.stop(running)


def test_a_killed_agent_starts_again_and_gives_the_points_back_once(world):
    console, service, start = world
    agent = start()
    (case,) = until(lambda: console.cases, "A case")
    os.kill(agent.process.pid, signal.SIGKILL)
    agent.process.wait()
    console.decide(case, proposal_id="B")
    again = start()
    until(lambda: console.cases[0].execution == "executed", "The outcome")
    again.process.wait(timeout=PATIENCE_S)

    assert len(console.cases) == 1
    ends = {step["id"]: step["status"] for step in console.outcomes[-1]["steps"]}
    assert ends == {"look": "succeeded", "refund": "succeeded", "tell": "succeeded"}
    totals = read(f"{service}/ledger")["totals"]
    assert totals["points_charges"]["count"] == totals["points_refunds"]["count"] == 1
    assert totals["points_charges"]["sum"] == totals["points_refunds"]["sum"]
