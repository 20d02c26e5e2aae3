"""Why a case is here and ranked here: which rule means it, what follows, and who set its deadline."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group

from escalations.models import Case, Policy
from tests.escalations import made
from tests.escalations.pages.browser import opened, show
from tests.escalations.pages.test_policies import post as post_policy

pytestmark = pytest.mark.django_db


@pytest.fixture
def chief(ana, operator):
    operator.groups.add(Group.objects.get_or_create(name="admin")[0])
    return ana


def flat(html):
    return re.sub("[ \\n]+", " ", html)


def test_a_deadline_that_the_agent_set_is_its_own(ana):
    html = flat(show(ana, opened()))
    assert "The earliest deadline comes first; nothing else counts." in html
    assert "its agent set it." in html


def test_a_deadline_that_nobody_named_is_the_usual_one(ana):
    assert "its agent named no deadline" in flat(show(ana, made.opened(at=made.real_now())))


def test_a_policy_that_brought_it_forward_says_from_when_and_whom_it_means(chief):
    post_policy(chief, deadline="5")
    case = opened()
    html = flat(show(chief, case))
    assert "the policy big refunds v1 brought it forward from" in html
    assert "It means: tool upgrade.*, points_max is more than 30000." in html
    assert "What follows: queue “refund desk”; due within 5\u202fmin; 2 people have to agree" in html
    Policy.objects.update(version=2)
    assert "It was changed since" in flat(show(chief, case))


def test_a_policy_alone_set_it_where_the_agent_named_none(chief):
    post_policy(chief, deadline="5")
    html = flat(show(chief, made.opened(at=made.real_now())))
    assert "says within what time; its agent named none." in html


def test_a_live_claim_may_have_put_it_off(ana):
    case = opened()
    Case.objects.update(expires_at=Case.objects.get().expires_at + timedelta(minutes=5))
    assert "because somebody held it then." in flat(show(ana, case))


def test_what_is_around_it_leads_to_the_tool_and_to_the_others_of_its_cause(ana):
    case = opened()
    opened(key="k-2")
    html = show(ana, case)
    assert f"/groups/{Case.objects.first().fingerprint}/" in html
    assert "2 open cases of this cause" in flat(html)
    assert "/tools/upgrade.request/" in html
