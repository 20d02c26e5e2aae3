import json
import socket
import threading
import uuid
from http.server import BaseHTTPRequestHandler, HTTPServer
from ipaddress import ip_network

import pytest
from django.utils.timezone import now

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


@pytest.fixture(autouse=True)
def here(settings):
    settings.WEBHOOK_NETWORKS = [ip_network("127.0.0.0/8")]


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


def test_a_chains_message_is_posted_where_the_console_may_post(receiver):
    case = waiting(receiver.url)
    tasks.post_chains()
    tasks.post_chains()
    ((headers, body),) = receiver.got
    assert (body["ref"], body["type"]) == (case.ref, "case.waiting")
    assert headers["webhook-signature"].startswith("v1,")
    assert ChainPost.objects.get().sent_at is not None


def test_a_chains_message_goes_to_no_address_inside(receiver, settings):
    waiting(receiver.url)
    settings.WEBHOOK_NETWORKS = ()  # taken off after the policy was made
    tasks.post_chains()
    assert receiver.got == []
    assert "no public address" in ChainPost.objects.get().error


def test_a_decision_goes_to_no_address_inside(receiver, settings):
    decided(receiver.url)
    settings.WEBHOOK_NETWORKS = ()  # taken off after the address was set
    tasks.post_decisions()
    assert receiver.got == []
    assert "WEBHOOK_NETWORKS" in Decision.objects.get().webhook_error


def test_a_name_that_comes_to_mean_an_address_inside_leads_nowhere(receiver, settings, monkeypatch):
    decided(f"http://hooks.example.com:{receiver.server.server_port}/in")
    settings.WEBHOOK_NETWORKS = ()

    def rebound(host, port, *_, **__):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", rebound)
    tasks.post_decisions()
    assert receiver.got == []
    assert "leads to no public address" in Decision.objects.get().webhook_error


def test_a_thousand_decisions_for_a_dead_receiver_knock_once_and_hold_up_nobody_else(receiver, monkeypatch):
    """A retry storm is bounded by the number of receivers, whatever the number of decisions."""
    decided(receiver.url)
    live = Decision.objects.get()
    dead = Actor(ActorKind.AGENT, str(factories.agent("dead-end")), "dead-end")
    facts.set_webhook(agent_id=int(dead.id), url="http://127.0.0.1:1/in", by=made.ANA, at=made.NOON)
    case = made.opened(by=dead)
    first = made.decided(case.id)
    row = Decision.objects.get(pk=first.decision_id)
    more = [_another(row, n) for n in range(2, 1_001)]
    Decision.objects.bulk_create(more)
    Decision.objects.filter(pk=live.pk).update(webhook_at=now())  # due last of all
    tried = []
    monkeypatch.setattr(operations, "take_one_post", _told(tried, operations.take_one_post))
    tasks.post_decisions()
    assert len(receiver.got) == 1
    assert sorted(tried) == sorted([live.agent_id, dead.id])
    waiting = Decision.objects.filter(agent_id=dead.id)
    assert set(waiting.values_list("webhook_tries", flat=True)) == {0, 1}
    assert waiting.values_list("webhook_at", flat=True).distinct().count() == 1
    assert waiting.first().webhook_at > now()


def _another(row, n):
    same = {field.attname: getattr(row, field.attname) for field in Decision._meta.concrete_fields}
    return Decision(
        **{**same, "id": uuid.uuid4(), "revision": n, "seq": row.seq + n, "decision_key": f"k{n}"}
    )


def _told(tried, take):
    def taken(**said):
        post = take(**said)
        if post is not None:
            tried.append(post.line)
        return post

    return taken


def test_the_line_goes_on_when_its_receiver_is_back(receiver):
    who = decided_pair("http://127.0.0.1:1/in")
    tasks.post_decisions()
    assert Decision.objects.filter(webhook_at__gt=now(), agent_id=who.id).count() == 2
    facts.set_webhook(agent_id=int(who.id), url=receiver.url, by=made.ANA, at=made.NOON)
    operations.redeliver(case_id=Decision.objects.earliest("seq").case_id, by=made.ANA, at=now())
    tasks.post_decisions()
    assert len(receiver.got) == 2
    assert not Decision.objects.filter(delivered_at__isnull=True).exists()


def decided_pair(url):
    who = Actor(ActorKind.AGENT, str(factories.agent("trip-booker")), "trip-booker")
    facts.set_webhook(agent_id=int(who.id), url=url, by=made.ANA, at=made.NOON)
    for key in ("one", "two"):
        made.decided(made.opened(by=who, key=key).id)
    return who


def test_messages_of_chains_wait_in_a_line_for_each_address(receiver):
    dead = waiting("http://127.0.0.1:1/in")
    row = ChainPost.objects.get()
    ChainPost.objects.bulk_create(
        ChainPost(case_id=row.case_id, url=row.url, body=row.body, made_at=row.made_at, due_at=row.due_at)
        for _ in range(50)
    )
    ChainPost.objects.create(
        case_id=dead.id, url=receiver.url, body=row.body, made_at=row.made_at, due_at=now()
    )
    tasks.post_chains()
    assert len(receiver.got) == 1
    assert sum(ChainPost.objects.filter(url=row.url).values_list("tries", flat=True)) == 1
