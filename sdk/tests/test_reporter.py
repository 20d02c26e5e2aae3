import gc
import json
import os
import subprocess
import sys
import threading
import time

import pytest

import switchboard


def ours():
    return [thread for thread in threading.enumerate() if thread.name.startswith("switchboard")]


def test_calls_reach_the_console_in_the_background(server, connect):
    client = connect()
    for n in range(2_500):
        client.report({"tool": "t", "args": {"n": n}})
    assert client.flush(10)
    assert [call["args"]["n"] for call in server.calls] == list(range(2_500))
    assert (client.stats.stored, client.stats.queued, client.stats.dropped) == (2_500, 0, 0)
    assert any("content-encoding" in request.headers for request in server.requests)


def test_reporting_does_not_wait_for_a_slow_console(server, connect):
    server.slow_s = 1.0
    client = connect()
    began = time.perf_counter()
    for _ in range(100):
        client.report({"tool": "t"})
    assert time.perf_counter() - began < 0.5


@pytest.mark.parametrize("nonsense", [None, 3, "call", ["tool"], object()])
def test_reporting_never_raises_into_the_agent(connect, nonsense, caplog):
    client = connect()
    with switchboard.loud(False):
        client.report(nonsense)
    assert "the agent goes on" in caplog.text


def test_a_call_the_console_will_not_have_harms_no_other(server, connect, caplog):
    client = connect()
    client.report({"tool": "t"})
    client.report({"tool": 7})
    client.report({"tool": "t"})
    assert client.flush(10)
    assert (client.stats.stored, client.stats.rejected) == (2, 1)
    assert "MALFORMED" in caplog.text


def test_too_many_requests_is_honoured(server, connect):
    server.plan(429, headers={"retry-after": "1"})
    client = connect()
    client.report({"tool": "t"})
    began = time.monotonic()
    assert client.flush(10)
    assert time.monotonic() - began > 0.9
    assert len(server.calls) == 1


def test_an_answer_that_was_lost_makes_no_second_call(server, connect):
    server.plan(502, times=2)
    client = connect()
    client.report({"tool": "t", "call_id": "once"})
    assert client.flush(10)
    client.report({"tool": "t", "call_id": "once"})
    assert client.flush(10)
    assert [call["call_id"] for call in server.calls] == ["once"]
    assert client.stats.duplicate == 1


def test_a_console_that_is_away_gets_the_calls_when_it_is_back(server, connect, tmp_path, until):
    client = connect(spool=tmp_path)
    server.stop()
    for n in range(10):
        client.report({"tool": "t", "args": {"n": n}})
    assert not client.flush(0.2)
    client.close(0.2)
    assert client.stats.spooled == 10
    server.start()
    again = connect(spool=tmp_path)
    again.report({"tool": "t", "args": {"n": 10}})
    assert again.flush(10)
    assert [call["args"]["n"] for call in server.calls] == list(range(11))


def test_close_leaves_no_thread_and_may_be_called_twice(server, connect):
    client = connect()
    client.report({"tool": "t"})
    client.escalate(title="T", goal="G", trigger="other")
    assert len(ours()) == 2
    client.close()
    client.close()
    assert ours() == []
    assert len(server.calls) == 1


def test_close_does_not_wait_longer_than_it_was_told_to(server, connect, until):
    server.slow_s = 30.0
    client = connect(timeout_s=60.0)
    client.report({"tool": "t"})
    until(lambda: client._parts.reporter.alive)
    began = time.monotonic()
    client.close(0.5)
    assert time.monotonic() - began < 4.0
    assert ours() == []
    assert client.stats.spooled == 1


def test_after_close_nothing_is_sent_and_it_is_said(connect, caplog):
    client = connect()
    client.close()
    client.report({"tool": "t"})
    assert "after the client was closed" in caplog.text
    assert not ours()
    with pytest.raises(switchboard.Closed):
        client.escalate(title="T", goal="G", trigger="other")


def test_a_client_makes_no_thread_before_it_is_used(connect):
    connect()
    assert ours() == []


def in_child(work):
    """Give what `work` returns in a forked child."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(write, json.dumps(work()).encode())
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read) as file:
        said = file.read()
    os.waitpid(child, 0)
    return json.loads(said)


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_child_reports_its_own_calls_and_not_its_parents(server, connect):
    client = connect(instance="worker")
    server.slow_s = 0.3
    client.report({"tool": "t", "call_id": "parent"})
    gc.collect()

    def work():
        client.report({"tool": "t", "call_id": "child"})
        done = client.flush(10)
        case = client.escalate(title="T", goal="G", trigger="other", key="child-case")
        return [done, client.stats.stored, client.instance, case.key]

    done, stored, instance, key = in_child(work)
    assert done
    assert stored == 1
    assert instance.startswith("worker-")
    assert key == "child-case"
    assert client.flush(10)
    assert sorted(call["call_id"] for call in server.calls) == ["child", "parent"]
    assert client.instance == "worker"


def test_many_threads_may_report_at_once(server, connect):
    client = connect()
    threads = [
        threading.Thread(target=lambda: [client.report({"tool": "t"}) for _ in range(200)]) for _ in range(5)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert client.flush(10)
    assert len(server.calls) == 1_000


def test_what_is_not_sent_at_the_end_of_the_program_is_sent_then(server):
    code = f"""
import switchboard
from switchboard import _client
_client.CLOSE_S = 30.0  # a busy machine may not manage in the two seconds that a program is held up for
client = switchboard.Client({server.url!r}, {server.key!r})
client.report({{"tool": "last words"}})
"""
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, timeout=30)
    assert [call["tool"] for call in server.calls] == ["last words"]
