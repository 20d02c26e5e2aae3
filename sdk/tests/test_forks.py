"""A fork finds no thread of ours in the middle of anything, and what a child reports arrives."""

import json
import multiprocessing
import os
import subprocess
import sys

import pytest

AT_ONCE = """
import json, os, switchboard
client = switchboard.Client()
client.report({"tool": "t", "call_id": "parent"})
client.flush(0)                          # its thread begins to import what speaks HTTP
os.sched_yield()
child = os.fork()
if child == 0:
    client.report({"tool": "t", "call_id": "child"})
    print(json.dumps(client.flush(10)), flush=True)
    os._exit(0)
os.waitpid(child, 0)
client.close()
"""


def test_a_child_that_is_forked_with_the_first_report_is_not_left_waiting_for_an_import(server):
    env = os.environ | {"SWITCHBOARD_URL": server.url, "SWITCHBOARD_KEY": server.key}
    said = subprocess.run(
        [sys.executable, "-c", AT_ONCE], env=env, capture_output=True, check=True, timeout=60
    )
    assert json.loads(said.stdout) is True
    assert sorted(call["call_id"] for call in server.calls) == ["child", "parent"]


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_what_a_child_of_multiprocessing_reported_last_is_sent_as_it_ends(server, connect):
    client = connect()
    client.report({"tool": "t", "call_id": "parent"})
    assert client.flush(10)
    child = multiprocessing.get_context("fork").Process(
        target=client.report, args=({"tool": "t", "call_id": "child"},)
    )
    child.start()
    child.join(10)
    assert child.exitcode == 0
    assert sorted(call["call_id"] for call in server.calls) == ["child", "parent"]


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_child_counts_only_its_own_calls(connect):
    client = connect()
    client.report({"tool": "t"})
    assert client.flush(10)
    read, write = os.pipe()
    if (child := os.fork()) == 0:
        os.write(write, str(client.stats.stored).encode())
        os._exit(0)
    os.waitpid(child, 0)
    os.close(write)
    assert os.read(read, 10) == b"0"
    os.close(read)
    assert client.stats.stored == 1
