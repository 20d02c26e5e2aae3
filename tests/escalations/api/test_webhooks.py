from ipaddress import ip_network

import pytest

from console.audit.queries import history
from escalations import operations
from escalations.models import Case, ChainPost
from telemetry.models import Agent
from tests.escalations import cast, made
from tests.escalations.doors import CASES, agent_door, door_of

pytestmark = pytest.mark.django_db
HOOK = "/api/v1/agents/trip-booker/webhook"
ADDRESS = "http://127.0.0.1:9/in"


@pytest.fixture(autouse=True)
def here(settings):
    settings.WEBHOOK_NETWORKS = [ip_network("127.0.0.0/8")]


def test_an_administrator_sets_reads_and_takes_off_where_decisions_are_posted():
    agent_door("trip-booker")
    root = door_of("root", "admin")
    assert root.get(HOOK).json() == {"url": ""}
    answer = root.put(HOOK, {"url": ADDRESS})
    assert (answer.status_code, answer.json()) == (
        200,
        {"url": ADDRESS, "secret": Agent.objects.get().webhook_secret},
    )
    assert root.get(HOOK).json() == {"url": ADDRESS}
    assert root.delete(HOOK).status_code == 204
    assert root.get(HOOK).json() == {"url": ""}
    assert root.put("/api/v1/agents/nobody/webhook", {"url": ADDRESS}).status_code == 404


@pytest.mark.parametrize(
    "url", ["http://169.254.169.254/latest/meta-data", "http://10.0.0.1/in", "http://u:p@x/", "x"]
)
def test_an_address_that_is_never_posted_to_is_refused_as_it_is_set(url):
    agent_door("trip-booker")
    assert door_of("root", "admin").put(HOOK, {"url": url}).status_code == 422
    assert Agent.objects.get().webhook_url == ""


def test_nobody_else_says_where_decisions_go():
    doors = (agent_door("trip-booker"), door_of("ana", "operator"), door_of("eve"))
    for door in doors:
        assert door.put(HOOK, {"url": ADDRESS}).status_code == 403
        assert door.get(HOOK).status_code == 403
        assert door.delete(HOOK).status_code == 403
    assert Agent.objects.get().webhook_url == ""


def given_up():
    cast.policy(effect={"chain": [{"do": "webhook", "url": ADDRESS}]})
    case = made.opened()
    operations.chain_one(at=made.NOON)
    ChainPost.objects.update(due_at=None, tries=20, error="HTTP 500")
    return case, ChainPost.objects.get(), f"{CASES}/{case.id}/chain-posts"


def test_a_message_of_a_chain_that_was_given_up_is_posted_again_by_hand():
    _case, row, url = given_up()
    (told,) = door_of("eve").get(url).json()["posts"]
    assert (told["id"], told["tries"], told["fault"], told["next_try_at"]) == (
        str(row.pk),
        20,
        "HTTP 500",
        None,
    )
    ana = door_of("ana", "operator")
    assert ana.post(f"{url}/{row.pk}/redelivery").status_code == 202
    row.refresh_from_db()
    assert (row.tries, row.error, row.due_at is not None) == (0, "", True)
    assert history(subject=f"case:{Case.objects.get().number}")[-1].verb == "chain_redelivery_asked"


def test_only_who_decides_asks_for_it_and_only_while_somebody_waits():
    case, row, url = given_up()
    again = f"{url}/{row.pk}/redelivery"
    assert door_of("eve").post(again).status_code == 403
    assert agent_door("group-desk").post(again).status_code in {403, 404}
    assert agent_door("other").get(url).status_code == 403
    ana = door_of("ana", "operator")
    assert ana.post(f"{url}/{case.id}/redelivery").status_code == 404
    made.decided(case.id)
    assert ana.post(again).json()["code"] == "NOTHING_TO_TELL"
    assert ChainPost.objects.get().due_at is None


def test_a_chain_that_would_post_inside_is_refused_as_it_is_set():
    rule = {
        "match": {"tool": "x"},
        "effect": {"chain": [{"do": "webhook", "url": "http://169.254.169.254/x"}]},
    }
    answer = door_of("root", "admin").put("/api/v1/policies/inside", rule)
    assert (answer.status_code, answer.json()["code"]) == (422, "BAD_ADDRESS")
    assert answer.json()["errors"][0]["field"] == "effect.chain.0.url"
