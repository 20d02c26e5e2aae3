"""Every topic has a sentence and a name, and a value that is missing breaks none."""

import uuid

import pytest

from console.notices import wording
from console.notices.domain.words import Words
from console.notices.queries.shapes import Item
from console.notices.vocabulary import Topic
from tests.factories import NOON


def item(topic, **words):
    return Item(
        notice_id=uuid.uuid4(), topic=topic, subject_key="x:1", urgency="normal", at=NOON,
        words=Words(**words).kept(), link="/x/",
    )  # fmt: skip


@pytest.mark.parametrize("topic", list(Topic))
def test_every_topic_has_a_sentence_and_a_name(topic):
    assert "%" not in wording.told(item(topic)).headline
    assert str(wording.NAMES[topic])


def test_what_is_missing_is_a_dash_and_what_is_hostile_formats_nothing():
    assert wording.told(item(Topic.CASE_OPENED)).headline == "– needs a decision"
    assert wording.told(item(Topic.CASE_OPENED, ref="%(title)s%s")).headline == "%(title)s%s needs a decision"


def test_the_case_is_named_once_and_linked_from_outside(settings):
    settings.PUBLIC_URL = "https://desk.example.com"
    told = wording.told(item(Topic.NEW_FAILURE, tool="refund", agent="trip-booker"))
    assert told.line == "refund failed in a way not seen before · trip-booker"
    assert told.url == "https://desk.example.com/x/"
    settings.PUBLIC_URL = ""
    assert wording.told(item(Topic.TEST)).url == "http://127.0.0.1:8000/x/"


def test_a_spike_of_calls_that_need_people_has_its_own_words():
    assert (
        wording.told(item(Topic.SPIKE_OPENED, name="person")).headline == "More calls than usual need people"
    )
    assert (
        "hard is rising at refund"
        in wording.told(item(Topic.SPIKE_OPENED, name="hard", tool="refund")).headline
    )


def test_one_is_named_and_many_are_counted():
    one = item(Topic.CASE_OPENED, ref="C-1", title="Refund?")
    assert wording.subject((one,)) == "C-1 needs a decision: Refund?"
    assert wording.subject((one, one)) == "2 notices"
