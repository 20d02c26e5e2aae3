import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from ipaddress import ip_network

import pytest

from console.kit.actor import Actor, ActorKind
from escalations import operations, tasks
from escalations.models import ChainPost, Decision
from telemetry import operations as facts
from tests import factories
from tests.escalations import cast, made

pytestmark = pytest.mark.django_db


class Receiver:
    """An agent's own server; `answers` are the statuses it gives, the last one for ever."""

    def __init__(self, *answers):
        self.got = []
        receiver, left = self, list(answers)

        class Door(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver.got.append((dict(self.headers), json.loads(body)))
                status = left.pop(0) if len(left) > 1 else left[0]
                self.send_response(status)
                if status == 302:
                    self.send_header("location", receiver.url + "/elsewhere")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Door)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def receiver(request):
    made_ = Receiver(*getattr(request, "param", (204,)))
    yield made_
    made_.close()


def decided(url):
    who = Actor(ActorKind.AGENT, str(factories.agent("trip-booker")), "trip-booker")
    facts.set_webhook(agent_id=int(who.id), url=url, by=made.ANA, at=made.NOON)
    return made.decided(made.opened(by=who).id)


def test_a_decision_is_posted_once_and_known_to_be_delivered(receiver):
    made_ = decided(receiver.url)
    tasks.post_decisions()
    tasks.post_decisions(unknown="keyword")
    ((headers, told),) = receiver.got
    assert told["decision_id"] == headers["webhook-id"] == str(made_.decision_id)
    assert Decision.objects.get().delivered_by == "webhook"


@pytest.mark.parametrize("receiver", [(500, 204), (302, 204), (401, 204)], indirect=True)
def test_only_a_2xx_says_delivered(receiver):
    decided(receiver.url)
    tasks.post_decisions()
    row = Decision.objects.get()
    assert row.delivered_at is None
    assert row.webhook_error.startswith("HTTP ")
    assert len(receiver.got) == 1  # a redirect is not followed: a signed body goes nowhere else


def test_a_receiver_that_is_not_there_is_a_fault_and_not_a_crash():
    decided("http://127.0.0.1:1/in")
    tasks.post_decisions()
    assert "ConnectError" in Decision.objects.get().webhook_error


def waiting(url):
    """A case whose chain has just put a message to an address."""
    cast.policy(effect={"chain": [{"do": "webhook", "url": url}]})
    case = made.opened()
    operations.chain_one(at=made.NOON)
    return case


def test_a_chains_message_is_posted_where_the_console_may_post(receiver, settings):
    settings.WEBHOOK_NETWORKS = (ip_network("127.0.0.0/8"),)
    case = waiting(receiver.url)
    tasks.post_chains()
    tasks.post_chains()
    ((headers, body),) = receiver.got
    assert (body["ref"], body["type"]) == (case.ref, "case.waiting")
    assert headers["webhook-signature"].startswith("v1,")
    assert ChainPost.objects.get().sent_at is not None


def test_a_chains_message_goes_to_no_address_inside(receiver, settings):
    settings.WEBHOOK_NETWORKS = ()
    waiting(receiver.url)
    tasks.post_chains()
    assert receiver.got == []
    assert "no public address" in ChainPost.objects.get().error
