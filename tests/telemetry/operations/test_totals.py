"""Calls that breakers refused are a total that only grows, whatever becomes of the windows that tell of them."""

import pytest
from prometheus_client.parser import text_string_to_metric_families

from telemetry.models import Breaker
from telemetry.operations.totals import since_last
from tests.telemetry.breakers import event, heartbeat, place


def window(n):
    return {"window": {"type": "count", "size": 60, "calls": 10, "failed": 9, "not_permitted": n}}


@pytest.mark.parametrize(
    ("known", "said", "ended", "began", "given"),
    [
        ({}, window(3), False, False, (3, 3)),
        ({"counted": 3}, window(5), False, False, (2, 5)),
        ({"counted": 5}, window(5), False, False, (0, 5)),
        ({"counted": 5}, window(2), False, False, (2, 2)),  # it was emptied meanwhile
        ({"counted": 5}, window(7), True, False, (2, 0)),  # the next window begins empty
        ({"counted": 5}, window(7), False, True, (7, 7)),  # a window of a new state
        ({"counted": 5}, {}, False, False, (0, 5)),
        ({"counted": 5}, {}, True, False, (0, 0)),
    ],
)
def test_what_is_counted_once_is_not_counted_again(known, said, ended, began, given):
    assert since_last(known, said, ended=ended, began=began) == given


@pytest.mark.django_db
def test_refused_calls_of_all_instances_add_up_and_are_told_by_their_name(as_agent, booker, client, sre):
    agent = as_agent(booker)

    def beats(instance, n, state="open", seq=1):
        said = heartbeat(place(state=state, seq=seq, **window(n)))
        assert agent.put(f"/api/v1/breakers/instances/{instance}", said, format="json").status_code == 200

    beats("sh-1", 3)
    beats("sh-1", 5)
    beats("sh-1", 5)
    beats("sh-2", 4)
    told = event(seq=2, instance_id="sh-1", from_state="open", to_state="half_open", **window(6))
    agent.post("/api/v1/breakers/events", {"events": [told, told]}, format="json")
    beats("sh-1", 0, state="half_open", seq=2)
    beats("sh-1", 1, state="half_open", seq=2)
    assert Breaker.objects.get().not_permitted == 6 + 4 + 1
    client.force_login(sre)
    families = text_string_to_metric_families(client.get("/metrics").content.decode())
    samples = [one for family in families for one in family.samples if "not_permitted" in one.name]
    assert [(one.name, one.value) for one in samples] == [("toolcall_breaker_not_permitted_total", 11.0)]
