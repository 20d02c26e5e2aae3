"""One page speaks of one moment: its own `at`."""

from datetime import UTC, datetime, timedelta

import pytest
from django.template import Context, Template

AT = datetime(2026, 11, 17, 6, 6, 7, tzinfo=UTC)


def shown(tag, **values):
    """Render a tag; narrow spaces are written as plain ones here."""
    return Template("{% load moments %}" + tag).render(Context({"at": AT, **values})).replace("\u202f", " ")


@pytest.mark.parametrize(
    ("tag", "text"),
    [
        ("{% clock t %}", ">06:02:07<"),
        ("{% minute t %}", ">06:02<"),
        ("{% ago t %}", ">4 min ago<"),
        ("{% waits t %}", ">4 min<"),
        ("{% lasts t %}", "4 min"),
        ("{{ 0.4|took }}", "0.40 s"),
        ("{{ 400|took_ms }}", "0.40 s"),
    ],
)
def test_times_are_told_from_the_pages_moment(tag, text):
    assert text in shown(tag, t=AT - timedelta(minutes=4))


@pytest.mark.parametrize(
    "tag",
    [
        "{% clock t %}",
        "{% minute t %}",
        "{% ago t %}",
        "{% waits t %}",
        "{% lasts t %}",
        "{% remains t %}",
        "{{ t|took }}",
        "{{ t|took_ms }}",
    ],
)
def test_no_time_is_an_empty_place(tag):
    assert shown(tag, t=None) == ""


def test_a_deadline_empties_from_the_right_and_turns_red_late():
    since = AT - timedelta(minutes=30)
    far = shown("{% due until since %}", until=AT + timedelta(minutes=30), since=since)
    near = shown("{% due until since %}", until=AT + timedelta(minutes=3), since=since)
    over = shown("{% due until since %}", until=AT - timedelta(minutes=1), since=since)
    assert ('width="50%"' in far, "soon" in far, "30 min" in far) == (True, False, True)
    assert ("soon" in near, "3 min 00 s" in near, "data-until" in near) == (True, True, True)
    assert "due now" in over


def test_what_remains_can_be_counted_down():
    assert f'data-until="{(AT + timedelta(minutes=4)).isoformat()}"' in shown(
        "{% remains t %}", t=AT + timedelta(minutes=4)
    )
