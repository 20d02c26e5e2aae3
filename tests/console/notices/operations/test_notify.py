"""A notice stands or falls with the transaction that caused it."""

import pytest
from django.db import transaction

from console.notices.domain.audience import Audience
from console.notices.domain.words import Words
from console.notices.models import Notice
from console.notices.operations import notify
from console.notices.vocabulary import Topic
from tests.factories import NOON


def tell(**more):
    told = {
        "topic": Topic.CASE_OPENED,
        "subject_key": "case:1",
        "at": NOON,
        "audience": Audience(queue="refunds"),
        "words": Words(ref="C-1", title="Refund twice?", tool="refund"),
        "link": "/cases/C-1/",
    }
    notify(**told | more)


@pytest.mark.django_db
def test_a_notice_is_one_row_and_waits_to_be_addressed():
    tell()
    row = Notice.objects.get()
    assert row.words == {"ref": "C-1", "title": "Refund twice?", "tool": "refund"}
    assert (row.fan_at, row.queue, row.link, row.urgency) == (NOON, "refunds", "/cases/C-1/", "normal")


@pytest.mark.django_db(transaction=True)
def test_outside_a_transaction_it_is_refused_and_undone_with_the_one_it_is_in():
    with pytest.raises(RuntimeError):
        tell()
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        tell()
        _ = 1 / 0
    assert not Notice.objects.exists()


@pytest.mark.django_db
def test_the_same_once_writes_nothing_more_however_long_it_is():
    for key in ("due:1", "due:1", "x" * 500, "x" * 500):
        tell(once=key)
    assert Notice.objects.count() == 2


@pytest.mark.django_db
def test_hostile_words_and_links_are_kept_harmless():
    tell(words=Words(title="a\x00\nb" + "x" * 1000), link="//evil.example/")
    row = Notice.objects.get()
    assert (row.words["title"][:4], len(row.words["title"]), row.link) == ("a\ufffd b"[:4], 200, "/")
