import os
from pathlib import Path

import pytest

import switchboard
from switchboard._config import Process, read_config


def config(**more):
    said = {"url": "https://console.example/", "key": "sb_k", "agent_version": None, "instance": None}
    return read_config(**{**said, "timeout_s": 10.0, "session_id": None, "spool": "auto", **more})


def test_the_address_and_the_key_come_from_the_environment_when_they_are_not_given(monkeypatch):
    monkeypatch.setenv("SWITCHBOARD_URL", "http://other.example:8000")
    monkeypatch.setenv("SWITCHBOARD_KEY", "sb_other")
    read = config(url=None, key=None)
    assert (read.url, read.key) == ("http://other.example:8000", "sb_other")
    assert config().url == "https://console.example"


def test_the_socket_is_at_the_same_host_and_as_safe():
    assert config().socket_url == "wss://console.example/ws/agent/v1"
    assert config(url="http://console.example").socket_url == "ws://console.example/ws/agent/v1"


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"url": None}, "SWITCHBOARD_URL"),
        ({"url": "console.example"}, "https://switchboard.example"),
        ({"url": "ftp://console.example"}, "https://switchboard.example"),
        ({"key": None}, "SWITCHBOARD_KEY"),
        ({"key": "two words"}, "SWITCHBOARD_KEY"),
        ({"timeout_s": 0}, "timeout_s"),
    ],
)
def test_what_is_missing_or_wrong_is_named(wrong, named):
    with pytest.raises(switchboard.Misconfigured, match=named):
        config(**wrong)


def test_each_key_has_a_spool_of_its_own(tmp_path):
    one, two = config(spool=tmp_path, key="sb_1").spool, config(spool=tmp_path, key="sb_2").spool
    assert one != two
    assert one.parent == two.parent == tmp_path
    assert config(spool=None).spool is None


def test_the_spool_is_where_the_environment_says(monkeypatch, tmp_path):
    monkeypatch.setenv("SWITCHBOARD_SPOOL", str(tmp_path))
    assert tmp_path in config().spool.parents
    monkeypatch.delenv("SWITCHBOARD_SPOOL")
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setenv("HOME", "/home/agent")
    assert Path("/home/agent/.local/state") in config().spool.parents


def test_a_forked_child_of_a_named_process_has_a_name_of_its_own():
    named = config(instance="worker")
    assert Process.of(named).instance == "worker"
    assert Process.of(named, forked=True).instance == f"worker-{os.getpid()}"
    assert Process.of(config()).instance != Process.of(config()).instance
