"""One command: it sets up, serves, runs the demo fleet; however it ends, nothing it started is left."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import psutil
import pytest

from tests.live.house import free_port

ROOT = Path(__file__).resolve().parents[2]
NOT_COPIED = (".venv", ".git", "var", "node_modules", "__pycache__", ".*_cache", ".hypothesis")
READY = re.compile(r"Ready at (\S+) after")
FLEET = 5  # the demo, its travel service, three agents

pytestmark = [pytest.mark.live, pytest.mark.embedded]


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """The checkout somewhere else: nothing may depend on where it lies."""
    return shutil.copytree(
        ROOT, tmp_path_factory.mktemp("copy") / "it", ignore=shutil.ignore_patterns(*NOT_COPIED)
    )


@pytest.fixture
def up(copy):
    unset = ("SWITCHBOARD_DATA", "PYTHONPATH", "SECRET_KEY", "LOG_LEVEL", "DATABASE_URL", "REDIS_URL")
    env = {name: value for name, value in os.environ.items() if name not in unset}
    argv = [sys.executable, "manage.py", "up", "--demo", "--port", str(free_port())]
    started = subprocess.Popen(
        argv, cwd=copy, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    with started:
        yield started
        started.kill()


def until(said, within_s=60):
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        if found := said():
            return found
        time.sleep(0.1)
    raise AssertionError("It did not come to that in time.")


def address(up):
    """Read what it says until it is ready; give where."""
    for line in up.stdout:
        if found := READY.match(line):
            return found[1]
    raise AssertionError("It ended before it was ready.")


def descendants(up):
    """The whole family of the process, once the fleet is complete."""
    family = psutil.Process(up.pid).children(recursive=True)
    return family if len(family) >= FLEET else []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_however_it_ends_it_leaves_no_orphan(up, number):
    url = address(up)
    with urllib.request.urlopen(f"{url}healthz", timeout=10) as answer:
        assert answer.status == 200
    family = until(lambda: descendants(up))
    up.send_signal(number)
    up.wait(timeout=30)
    assert until(lambda: not [each for each in family if each.is_running() and each.status() != "zombie"], 15)


def test_ctrl_c_ends_it_with_a_word_and_without_a_traceback(up):
    address(up)
    up.send_signal(signal.SIGINT)
    rest = up.stdout.read()
    assert up.wait(timeout=30) == 0
    assert rest.splitlines()[-1] == "Stopped."
    assert "Traceback" not in rest
