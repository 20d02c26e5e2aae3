import asyncio
import logging
import threading

import pytest

import switchboard
from switchboard import _link, _poll, _talk


@pytest.fixture
def waiting(until):
    """Wait in a thread; gives what came of it."""
    threads = []

    def start(case, timeout=20.0):
        got = []

        def wait():
            try:
                got.append(case.wait(timeout))
            except switchboard.SwitchboardError as exc:
                got.append(exc)

        thread = threading.Thread(target=wait)
        thread.start()
        threads.append(thread)
        return got

    yield start
    for thread in threads:
        thread.join(20)
        assert not thread.is_alive()


def test_a_decision_reaches_the_waiting_agent_over_the_socket(server, connect, task, waiting, until):
    case = connect().escalate(**task)
    got = waiting(case)
    until(lambda: server.subscribed)
    server.decide(case, message="go")
    until(lambda: got)
    assert (got[0].approved, got[0].message, got[0].to_run[0].args) == (True, "go", {"amount": 100})
    assert not [each for each in server.requests if "/decision" in each.path]


def test_a_decision_made_while_the_socket_was_broken_is_replayed(server, connect, task, waiting, until):
    case = connect().escalate(**task)
    got = waiting(case)
    until(lambda: server.subscribed)
    server.mute_sockets = True
    server.decide(case)
    server.drop_sockets()
    server.mute_sockets = False
    until(lambda: got)
    assert got[0].approved
    assert server.opened_sockets >= 2


def test_a_restart_of_the_console_is_waited_through(server, connect, task, waiting, until):
    case = connect().escalate(**task)
    got = waiting(case)
    until(lambda: server.subscribed)
    server.stop()
    server.decide(case, "reject", message="no")
    assert not got
    server.start()
    until(lambda: got)
    assert (got[0].action, got[0].approved, got[0].message) == ("reject", False, "no")


def test_where_no_socket_gets_through_the_long_poll_brings_the_decision(  # noqa: PLR0917
    server, connect, task, waiting, until, caplog
):
    server.refuse_sockets = 403
    case = connect().escalate(**task)
    with caplog.at_level(logging.WARNING, "switchboard"):
        got = waiting(case)
        until(lambda: [each for each in server.requests if "/decision?wait=25&revision=1" in each.path])
        server.decide(case)
        until(lambda: got)
    assert got[0].approved
    assert caplog.text.count("refused with HTTP 403") == 1


def test_errors_of_the_long_poll_are_never_an_answer(  # noqa: PLR0917
    server, connect, task, waiting, until, monkeypatch
):
    monkeypatch.setattr(_talk.Talk, "pause_after", lambda *_: 0.02)
    server.refuse_sockets = 403
    for status in (500, 502, 503, 429):
        server.plan(status, path="/api/v1/escalations/")
    server.plan(200, b"<html>Please sign in</html>", path="/api/v1/escalations/")
    server.plan(
        200, b'{"kind":"decision","escalation_id":"another","revision":1}', path="/api/v1/escalations/"
    )
    case = connect().escalate(**task)
    got = waiting(case)
    until(lambda: not server.planned)
    assert not got
    server.decide(case)
    until(lambda: got)
    assert got[0].approved


def test_a_key_that_was_revoked_ends_the_wait_with_an_error(server, connect, task, waiting, until):
    case = connect().escalate(**task)
    server.key = "sb_testtest_other"
    server.refuse_sockets = 401
    got = waiting(case)
    until(lambda: got)
    assert isinstance(got[0], switchboard.Unauthorized)


def test_a_case_the_console_does_not_know_ends_the_wait_with_an_error(server, connect, task, waiting, until):
    server.refuse_sockets = 403
    case = connect().escalate(**task)
    server.book.cases.clear()
    got = waiting(case)
    until(lambda: got)
    assert isinstance(got[0], switchboard.NotFound)


def test_a_refusal_on_the_socket_is_checked_over_http(server, connect, task, waiting, until):
    case = connect().escalate(**task)
    got = waiting(case)
    until(lambda: server.subscribed)
    server.book.cases.clear()
    about = {"type": "subscribe", "escalation_ids": [case.id]}
    for socket in tuple(server._sockets):
        socket.send_soon(
            {"type": "refusal", "code": "NO_SUCH_CASE", "detail": "who?", "errors": [], "about": about}
        )
    until(lambda: got)
    assert isinstance(got[0], switchboard.NotFound)


def test_a_lost_message_on_an_open_socket_costs_seconds_and_not_the_decision(  # noqa: PLR0917
    server, connect, task, waiting, until, monkeypatch
):
    monkeypatch.setattr(_link, "RESUBSCRIBE_S", 0.2)
    case = connect().escalate(**task)
    got = waiting(case)
    until(lambda: server.subscribed)
    server.mute_sockets = True
    server.decide(case)
    server.mute_sockets = False
    until(lambda: got)
    assert got[0].approved
    assert server.opened_sockets == 1


def test_rubbish_on_the_socket_is_ignored(server, connect, task, waiting, until):
    case = connect().escalate(**task)
    got = waiting(case)
    until(lambda: server.subscribed)
    socket = next(iter(server._sockets))
    for message in (None, 3, [], {"type": "news"}, {"type": "decision"}, {"type": "refusal"}):
        socket.send_soon(message)
    server.decide(case)
    until(lambda: got)
    assert got[0].approved


def test_an_unreachable_console_is_said_after_the_deadline_and_nothing_is_approved(server, connect, task):
    case = connect(timeout_s=1.0).escalate(**task)
    server.stop()
    with pytest.raises(switchboard.Unreachable, match="Nothing was approved") as seen:
        case.wait(0.5)
    assert not isinstance(seen.value, switchboard.Undecided)


def test_a_console_that_is_there_while_nobody_decides_is_another_thing(server, connect, task, until):
    case, told = connect().escalate(**task), []

    def undecided():
        try:
            case.wait(0.2)
        except switchboard.Unreachable as exc:  # on a busy machine the socket may not be open so soon
            told.append(exc)
        return isinstance(told[-1], switchboard.Undecided)

    until(undecided)
    assert "Nobody has decided" in str(told[-1])


def test_closing_the_client_ends_the_waits_with_an_error(server, connect, task, waiting, until):
    client = connect()
    got = waiting(client.escalate(**task))
    until(lambda: server.subscribed)
    client.close()
    until(lambda: got)
    assert isinstance(got[0], switchboard.Closed)


async def test_hundreds_of_waits_share_one_thread_and_one_socket(server, connect, task, until):
    client = connect().aio
    cases = [await client.escalate(**task, key=f"k{n}") for n in range(300)]
    waits = [asyncio.create_task(case.wait(30)) for case in cases]
    await asyncio.to_thread(until, lambda: sum(len(each) for each in server.subscribed) >= 300)
    assert server.opened_sockets == 1
    assert len([each for each in threading.enumerate() if each.name.startswith("switchboard")]) == 1
    for case in cases:
        server.decide(case)
    assert all(decision.approved for decision in await asyncio.gather(*waits))


async def test_many_waits_without_a_socket_are_asked_in_turn_and_not_all_at_once(server, connect, task):
    server.refuse_sockets = 403
    client = connect().aio
    cases = [await client.escalate(**task, key=f"k{n}") for n in range(40)]
    for case in cases:
        server.decide(case)
    decisions = await asyncio.gather(*(case.wait(30) for case in cases))
    assert {decision.escalation_id for decision in decisions} == {case.id for case in cases}
    assert all(
        "wait=0&" in each.path or "wait=25&" in each.path
        for each in server.requests
        if "/decision" in each.path
    )
    assert _poll.AT_ONCE < 40


async def test_a_cancelled_wait_is_forgotten_and_can_be_begun_again(server, connect, task):
    client = connect().aio
    case = await client.escalate(**task)
    wait = asyncio.create_task(case.wait())
    await asyncio.sleep(0.05)
    wait.cancel()
    with pytest.raises(asyncio.CancelledError):
        await wait
    assert len(client._parts.line.mailbox) == 0
    server.decide(case)
    assert (await case.wait(10)).approved


async def test_closing_ends_a_coroutines_wait_with_an_error_and_not_with_cancellation(server, connect, task):
    client = connect().aio
    case = await client.escalate(**task)
    wait = asyncio.create_task(case.wait())
    await asyncio.sleep(0.05)
    await client.close()
    with pytest.raises(switchboard.Closed):
        await wait


def test_waits_in_threads_and_in_coroutines_share_the_socket(server, connect, task, waiting, until):
    client = connect()
    case = client.escalate(**task)
    got = waiting(case)

    async def other():
        again = await client.aio.case(case.key)
        return await again.wait(10)

    until(lambda: server.subscribed)
    threading.Timer(0.2, lambda: server.decide(case)).start()
    assert asyncio.run(other()).approved
    until(lambda: got)
    assert server.opened_sockets == 1


def test_two_clients_of_one_key_share_the_line(server, connect, task, waiting, until):
    one, two = connect(), connect()
    assert one._parts.line is two._parts.line
    got = [waiting(one.escalate(**task, key="1")), waiting(two.escalate(**task, key="2"))]
    until(lambda: sum(len(each) for each in server.subscribed) >= 2)
    one.close()
    server.decide("2")
    until(lambda: got[1])
    assert got[1][0].approved
    server.decide("1")
    until(lambda: got[0])
