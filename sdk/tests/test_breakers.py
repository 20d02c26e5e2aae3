import logging
import threading
from datetime import UTC, datetime

import pytest

import switchboard
from switchboard import _breakers, wire

AT = datetime(2030, 1, 1, tzinfo=UTC)


class Fuse:
    """A breaker that does as it is told and notes it."""

    def __init__(self, name="flights", *, answer=wire.Obeyed.APPLIED):
        self.name = name
        self.state = "closed"
        self.told = []
        self.answer = answer

    def snapshot(self):
        return wire.BreakerSnapshot(
            state=self.state, since=AT, window=wire.Window(calls=4, failed=1, failure_rate=0.25)
        )

    def obey(self, command):
        if isinstance(self.answer, Exception):
            raise self.answer
        self.told.append((command.verb.value, command.reason, command.actor))
        self.state = {"force_open": "forced_open", "disable": "disabled"}.get(command.verb.value, "closed")
        return self.answer


def opened(**more):
    said = {
        "breaker": "flights",
        "from_state": "closed",
        "to_state": "open",
        "reason": "failure_rate",
        "occurred_at": AT,
    }
    return wire.BreakerEvent(**{**said, **more})


def test_transitions_are_numbered_and_carry_who_and_when(console):
    link = console.client().breakers
    link.report(
        opened(
            window=wire.Window(type="time", size=60.0, calls=10, failed=6),
            trigger=wire.Cause(error_type="TIMEOUT"),
        )
    )
    link.report(opened(from_state="open", to_state="half_open", reason="wait_elapsed"))
    link.report(opened(breaker="hotels"))
    seen = console.breaker_events
    assert [(each["breaker"], each["seq"]) for each in seen] == [
        ("flights", 1),
        ("flights", 2),
        ("hotels", 1),
    ]
    assert len({each["boot_id"] for each in seen}) == 1
    assert len({each["event_id"] for each in seen}) == 3
    assert {each["instance"] for each in seen} == {"test"}
    assert seen[0]["window"] == {
        "type": "time", "size": 60.0, "calls": 10, "failed": 6, "slow": 0, "not_permitted": 0, "ignored": 0,
    }  # fmt: skip
    assert seen[0]["occurred_at"] == "2030-01-01T00:00:00Z"


def test_a_restarted_process_is_another_life_with_numbers_of_its_own(console):
    for _ in range(2):
        console.client().breakers.report(opened())
    one, two = console.breaker_events
    assert (one["seq"], two["seq"]) == (1, 1)
    assert one["boot_id"] != two["boot_id"]


def test_a_heartbeat_names_every_breaker_with_its_last_number(console):
    client = console.client(agent_version="2.1")
    client.breakers.register(Fuse())
    client.breakers.register(Fuse("hotels"))
    client.breakers.report(opened())
    console.beat()
    beat = console.heartbeats[0]
    assert (beat["instance"], beat["agent_version"], beat["sent_at"]) == (
        "test",
        "2.1",
        "2030-01-01T09:00:00+00:00",
    )
    assert [(each["breaker"], each["state"], each["seq"]) for each in beat["breakers"]] == [
        ("flights", "closed", 1), ("hotels", "closed", 0),
    ]  # fmt: skip


def test_what_is_unregistered_is_no_longer_on_the_board(console):
    link, fuse = console.client().breakers, Fuse()
    link.register(fuse)
    link.unregister(fuse)
    link.unregister(fuse)
    console.beat()
    assert console.heartbeats[0]["breakers"] == []


def test_two_breakers_of_one_name_are_one_on_the_board_and_both_obey(console):
    link, one, two = console.client().breakers, Fuse(), Fuse()
    link.register(one)
    link.register(two)
    console.order("flights", "force_open")
    console.beat()
    assert len(console.heartbeats[0]["breakers"]) == 1
    assert one.told == two.told == [("force_open", "A test says so.", "SRE")]
    link.unregister(two)
    console.beat()
    assert len(console.heartbeats[1]["breakers"]) == 1


def test_an_order_is_obeyed_once_and_acknowledged(console):
    fuse = Fuse()
    console.client().breakers.register(fuse)
    row = console.order("flights", "force_open", reason="Provider says so.", by="Ada")
    console.listen()
    assert fuse.told == [("force_open", "Provider says so.", "Ada")]
    assert console.breaker_acks == [
        {
            "command_id": row["command_id"], "instance": "test", "status": "applied", "state": "forced_open",
            "at": "2030-01-01T09:00:00+00:00",
        }
    ]  # fmt: skip


def test_a_breaker_made_later_obeys_what_is_in_force_in_order(console):
    client = console.client()
    console.order("flights", "force_open")
    console.order("flights", "release")
    console.order("flights", "disable", for_s=5)
    console.clock.advance(10)
    fuse = Fuse()
    client.breakers.register(fuse)
    assert [verb for verb, _, _ in fuse.told] == ["force_open", "release"]
    assert [each["status"] for each in console.breaker_acks] == ["applied", "applied", "expired"]


def test_an_order_for_other_instances_is_left_alone(console):
    fuse = Fuse()
    console.client().breakers.register(fuse)
    console.order("flights", "disable", instances=["elsewhere"])
    assert (fuse.told, console.breaker_acks) == ([], [])
    console.order("flights", "disable", instances=["elsewhere", "test"])
    assert len(fuse.told) == 1


@pytest.mark.parametrize("answer", list(wire.Obeyed))
def test_what_the_breaker_says_is_what_the_board_shows(console, answer):
    console.client().breakers.register(Fuse(answer=answer))
    console.order("flights", "reset")
    assert console.breaker_acks[0]["status"] == answer.value


def test_a_breaker_that_fails_has_refused(console, caplog):
    console.client().breakers.register(Fuse(answer=ValueError("stuck")))
    with switchboard.loud(False):
        console.order("flights", "reset")
    ack = console.breaker_acks[0]
    assert (ack["status"], ack["detail"]) == ("refused", "ValueError: stuck")


def test_an_order_nobody_here_understands_is_ignored_and_said(console, caplog):
    fuse = Fuse()
    console.client().breakers.register(fuse)
    with switchboard.loud(False), caplog.at_level(logging.WARNING, "switchboard"):
        console.order("flights", "explode")
    assert fuse.told == []
    assert "reading an order" in caplog.text


def test_an_outage_keeps_the_transitions_in_order_and_bounded(console, monkeypatch):
    monkeypatch.setattr(_breakers, "MOST_EVENTS", 5)
    link = console.client().breakers
    with console.outage():
        for _ in range(8):
            link.report(opened())
    link.report(opened())
    assert [each["seq"] for each in console.breaker_events] == [5, 6, 7, 8, 9]
    assert link.dropped == 4


def test_what_the_console_will_not_have_is_said_once_and_does_not_stop_the_line(console, caplog):
    link = console.client().breakers
    console.answer_next(422, b'{"code":"MALFORMED","detail":"no"}')
    with caplog.at_level(logging.WARNING, "switchboard"):
        link.report(opened())
        link.report(opened())
    assert [each["seq"] for each in console.breaker_events] == [2]
    assert caplog.text.count("MALFORMED") == 1


def test_over_the_network_everything_happens_by_itself(server, connect, until, monkeypatch):
    monkeypatch.setattr(_breakers, "BEAT_S", 0.1)
    monkeypatch.setattr(_breakers, "SHORTEST_S", 0.05)
    client, fuse = connect(), Fuse()
    client.breakers.register(fuse)
    client.breakers.report(opened())
    until(lambda: len(server.heartbeats) >= 2 and server.breaker_events)
    server.orders.append(
        {
            "command_id": "3f0b0a6e-0000-4000-8000-000000000000", "number": 4, "breaker": "flights",
            "command": "force_open", "instances": None, "reason": "down", "by": "Ada",
            "issued_at": "2030-01-01T09:00:00+00:00", "expires_at": "2999-01-01T09:00:00+00:00",
        }
    )  # fmt: skip
    until(lambda: server.breaker_acks)
    until(lambda: server.heartbeats[-1]["breakers"][0]["state"] == "forced_open")
    assert fuse.told == [("force_open", "down", "Ada")]
    server.stop()
    client.breakers.report(opened(from_state="open", to_state="closed", reason="probe_ok"))
    server.start()
    until(lambda: len(server.breaker_events) == 2)
    client.close()
    assert not [each for each in threading.enumerate() if each.name.startswith("switchboard")]


def test_an_order_may_come_over_the_socket_and_counts_once(server, connect, task, until, monkeypatch):
    monkeypatch.setattr(_breakers, "SHORTEST_S", 0.05)
    client, fuse = connect(), Fuse()
    client.breakers.register(fuse)
    case = client.escalate(**task)
    thread = threading.Thread(target=lambda: case.wait(20))
    thread.start()
    until(lambda: server.subscribed)
    order = {
        "command_id": "3f0b0a6e-0000-4000-8000-000000000000", "number": 4, "breaker": "flights", "command": "disable",
        "instances": None, "reason": "noise", "by": "Ada", "issued_at": "2030-01-01T09:00:00+00:00",
        "expires_at": "2999-01-01T09:00:00+00:00",
    }  # fmt: skip
    next(iter(server._sockets)).send_soon({"type": "breaker_command", **order})
    until(lambda: fuse.told)
    server.orders.append(order)
    until(lambda: len([each for each in server.requests if "after=4" in each.path]) >= 1)
    server.decide(case)
    thread.join(10)
    assert fuse.told == [("disable", "noise", "Ada")]
    assert len(server.breaker_acks) == 1
