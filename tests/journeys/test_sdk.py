"""The SDK against the real console: reports, a decision waited for through a kill, and an order to a breaker."""

import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import httpx2
import pytest

import switchboard
from switchboard import wire

pytestmark = pytest.mark.live

MAKE_TOKEN = """
from django.utils.timezone import now
from console.kit.actor import SYSTEM
from console.people import operations
from console.people.roles import Role
person = operations.create_person(name="ada", roles=frozenset(Role), by=SYSTEM, at=now())
print("TOKEN", operations.issue_token(person_id=person, label="journey", by=SYSTEM, at=now()))
"""


class Person:
    """Somebody who decides over REST."""

    def __init__(self, house):
        printed = house.manage("shell", "-c", MAKE_TOKEN)
        token = printed.partition("TOKEN ")[2].split()[0]
        self._http = httpx2.Client(
            base_url=house.url, headers={"authorization": f"Bearer {token}"}, timeout=20
        )

    def post(self, path, **said):
        answer = self._http.post(path, json=said)
        assert answer.status_code in {200, 201}, answer.text
        return answer.json()

    def decide(self, case, action="approve", **said):
        said = {"decision_key": uuid.uuid4().hex, "base_revision": case.revision, "action": action, **said}
        return self.post(f"/api/v1/escalations/{case.id}/decision", **said)

    def close(self):
        self._http.close()


class Fuse:
    name = "flights-api"

    def __init__(self):
        self.told = []

    def snapshot(self):
        return wire.BreakerSnapshot(state="forced_open" if self.told else "closed", since=datetime.now(UTC))

    def obey(self, command):
        self.told.append((command.verb, command.actor))
        return wire.Obeyed.APPLIED


@pytest.fixture
def person(house):
    made = Person(house)
    yield made
    made.close()


@pytest.fixture
def connect(house, tmp_path):
    key = house.manage("agent", "create", "traveller").split()[-1]
    made = []

    def make():
        client = switchboard.Client(house.url, key, agent_version="1.2.3", spool=tmp_path / "spool")
        made.append(client)
        return client

    yield make
    for client in made:
        client.close()


def until(what, seconds=20.0):
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.02)


def refund(amount=100):
    step = wire.PlannedStep(id="refund", tool="refund", args={"amount": amount}, idempotency_key="k-1")
    return wire.Proposal(id="p", kind="compensate", title="Refund", recommended=True, steps=[step])


def test_what_is_reported_before_during_and_after_a_kill_is_stored_once(house, connect):
    client = connect()
    ids = [switchboard.uuid7() for _ in range(600)]
    for number, call_id in enumerate(ids):
        client.report({"tool": "search", "side_effect": "read", "call_id": call_id, "args": {"n": number}})
        if number == 200:
            client.flush(10)
            house.kill()
        if number == 400:
            house.restart()
    assert client.flush(30)
    assert (client.stats.stored + client.stats.duplicate, client.stats.rejected, client.stats.dropped) == (
        600,
        0,
        0,
    )
    with client.call("upgrade", side_effect="write") as call:
        call.failed("unknown_outcome", "TIMEOUT")
    assert client.flush(10)
    assert client.stats.rejected == 0


def test_a_decision_is_waited_for_through_a_kill_carried_out_and_reported(house, connect, person):
    client = connect()
    said = {"title": "Refund", "goal": "Be fair", "trigger": "unknown_outcome", "proposals": [refund()]}
    case = client.escalate(key="trip-1", **said)
    assert client.escalate(key="trip-1", **said).id == case.id
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(case.wait, 60)
        house.kill()
        house.restart()
        edited = [{"id": "refund", "run": True, "args": {"amount": 50}}]
        person.decide(case, "edit", steps=edited)
        decision = waiting.result(60)
    assert (decision.action, decision.to_run[0].args) == ("edit", {"amount": 50})
    assert decision.to_run[0].idempotency_key != "k-1"
    case.ack(decision, fence=2)
    with pytest.raises(switchboard.Conflict):
        case.ack(decision, fence=1)
    report = case.report(
        decision, "partial", [{"id": "refund", "status": "partial", "result": {"refunded": 20}}]
    )
    assert (
        case.report(decision, "partial", [{"id": "refund", "status": "partial", "result": {"refunded": 20}}])
        == report
    )
    case.revise(title="The rest of the refund", proposals=[refund(30)])
    person.decide(case, "reject", message="Enough.")
    assert (case.wait(30).action, case.wait().message) == ("reject", "Enough.")


def test_a_restarted_agent_gets_its_decision_and_an_end_nobody_decided_is_no_yes(connect, person):
    case = connect().escalate(key="trip-2", title="T", goal="G", trigger="other", proposals=[refund()])
    person.decide(case)
    case.ack(case.wait(30))
    again = connect().case("trip-2")
    assert again.wait(30).approved
    client = connect()
    soon = datetime.now(UTC) + timedelta(seconds=1)
    expiring = client.escalate(key="trip-3", title="T", goal="G", trigger="other", expires_at=soon)
    withdrawn = client.escalate(key="trip-4", title="T", goal="G", trigger="other")
    withdrawn.cancel("solved itself")
    assert [withdrawn.wait(30).kind, expiring.wait(60).kind] == ["cancelled", "expired"]
    assert not expiring.wait().approved
    with pytest.raises(switchboard.IdempotencyConflict):
        client.escalate(key="trip-4", title="Other", goal="G", trigger="other")


@pytest.mark.embedded  # about the plan; the decisions above go through every store
def test_what_a_decided_plan_leaves_undone_is_the_next_revision(connect, person, tmp_path):
    """Two bookings are taken back, one of them only after a second yes: the rest is before people by itself."""
    client, refunded, shut = connect(), [], {"B-SB13"}
    with switchboard.Toolbox(client) as box:

        @box.tool(effect="write", compensate="refund")
        def book(flight: str) -> dict[str, str]:
            return {"booking_id": f"B-{flight}"}

        @box.tool(effect="idempotent_write")
        def refund(booking_id: str) -> str:
            if booking_id in shut:
                raise switchboard.ToolFailure("hard", "DESK_CLOSED", "The desk opens at nine.")
            refunded.append(booking_id)
            return booking_id

        @box.tool(effect="write")
        def upgrade(seat: str) -> None:
            raise switchboard.HttpFailure(403)

        with box.session(id="trip-5", goal="Tokyo", journal=tmp_path / "trips.sqlite3") as session:
            for flight in ("SB12", "SB13"):
                session.call_sync("book", {"flight": flight})
            case = session.call_sync("upgrade", {"seat": "12A"}).case
            person.decide(client.case(case.id), "approve", proposal_id="undo")
            first = session.settle_sync(case, timeout=60)
            assert (first.status, refunded) == ("partial", ["B-SB12"])
            shut.clear()
            again = client.case(case.id)
            assert again.revision == 2
            person.decide(again, "approve", proposal_id="rest-1")
            second = session.settle_sync(first.next, timeout=60)
            assert (second.status, second.next, refunded) == ("executed", None, ["B-SB12", "B-SB13"])


def test_a_breaker_is_on_the_board_and_obeys_once(connect, person):
    client, fuse = connect(), Fuse()
    client.breakers.register(fuse)
    client.breakers.report(
        wire.BreakerEvent(breaker="flights-api", from_state="closed", to_state="open", reason="failure_rate")
    )
    expires = (datetime.now(UTC) + timedelta(minutes=5)).isoformat()
    path = "/api/v1/breakers/flights-api/commands"
    said = {"command": "force_open", "reason": "The provider says so.", "expires_at": expires}
    until(
        lambda: person._http.post(path, json=said).status_code == 201
    )  # 404 until the console has heard of it
    until(lambda: fuse.told)
    assert fuse.told == [(wire.Verb.FORCE_OPEN, "ada")]
