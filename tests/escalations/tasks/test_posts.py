import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from console.kit.actor import Actor, ActorKind
from escalations import tasks
from escalations.models import Decision
from telemetry import operations as facts
from tests import factories
from tests.escalations import made

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
