"""The page of a spike lists the cases of its tool and class that were opened in its time."""

from datetime import timedelta

import pytest
from django.utils.timezone import now

from telemetry.models import Spike, Tool
from telemetry.vocabulary import SpikeKind
from tests.escalations import made
from tests.telemetry.pages.made import refused

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def risen(report):
    report(refused("a"))
    return made_spike(tool_id=Tool.objects.get(name="points.query").pk)


def made_spike(*, tool_id, kind=SpikeKind.RATE, subject="hard"):
    test = {"window": 5, "calls": 100, "observed": 24, "expected": 0.5, "ratio": 48.0, "probability": 1e-6}
    told = {"agents": [{"name": "trip-booker", "n": 24}]}
    return Spike.objects.create(
        kind=kind, tool_id=tool_id, subject=subject, opened_at=now() - HOUR, test=test, explanation=told
    )


def case(key, at, tool="points.query", failure_class="hard"):
    failure = {**made.package()["failure"], "tool": tool, "class": failure_class}
    return made.opened(key=key, failure=failure, at=at).ref


def shown(client, spike):
    answer = client.get(f"/spikes/{spike.pk}/")
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_spike_lists_the_cases_of_its_tool_and_class_that_came_with_it(risen, signed_in):
    its = case("its", now())
    others = [
        case("before", now() - 3 * HOUR),
        case("class", now(), failure_class="transient"),
        case("tool", now(), tool="pay.refund"),
    ]
    page = shown(signed_in, risen)
    assert f'href="/cases/{its}/"' in page
    assert [ref for ref in others if f'href="/cases/{ref}/"' in page] == []
    assert "1 case, 1 open" in page
    assert "/queue/?q=tool%3A%22points.query%22%20class%3Ahard" in page


def test_a_spike_without_cases_says_so(risen, signed_in):
    assert "No case of this tool and class was opened in its time." in shown(signed_in, risen)


def test_numbers_of_calls_that_need_a_person_lead_to_those_calls_alone(risen, signed_in):
    page = shown(signed_in, made_spike(tool_id=0, kind=SpikeKind.PERSON, subject="person"))
    figures = page.split('id="figures"')[1].split("</dl>")[0]
    assert figures.count("/calls/?q=outcome%3Aescalated") == 2
    assert f'href="/cases/{case("any", now())}/"' in shown(
        signed_in, Spike.objects.get(kind=SpikeKind.PERSON)
    )
