import os
import signal
import subprocess
import sys
import time

import pytest

from console.bootstrap import children

CHILD = "import time; from console.bootstrap.children import follow_parent; follow_parent(); print('up', flush=True); time.sleep(60)"
PARENT = f"""
import subprocess, sys, time
from console.bootstrap import children
child = children.start("child", [sys.executable, "-c", {CHILD!r}], out=subprocess.PIPE)
child.process.stdout.readline()
print(child.process.pid, flush=True)
time.sleep(60)
"""
STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(60)"


def gone(pid, within_s=10):
    until = time.monotonic() + within_s
    while time.monotonic() < until:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_child_is_gone_soon_after_its_parent_however_that_ended(number):
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE)
    with parent:
        pid = int(parent.stdout.readline())
        parent.send_signal(number)
    assert gone(pid)


def test_stopping_ends_a_child_that_ignores_being_asked():
    child = children.start("stubborn", [sys.executable, "-c", STUBBORN], out=subprocess.PIPE)
    with child.process.stdout:
        child.process.stdout.readline()
        children.stop([child], grace_s=0.1)
    assert child.process.returncode == -signal.SIGKILL


def test_stopping_reaches_what_the_child_started_itself():
    script = "sleep 60 & echo $!; wait"
    child = children.start("shell", ["sh", "-c", script], out=subprocess.PIPE)
    with child.process.stdout:
        grandchild = int(child.process.stdout.readline())
        children.stop([child])
    assert gone(grandchild)


def test_a_process_without_a_lifeline_follows_nobody(monkeypatch):
    monkeypatch.delenv(children.LIFELINE, raising=False)
    children.follow_parent()
    assert children.LIFELINE not in os.environ
