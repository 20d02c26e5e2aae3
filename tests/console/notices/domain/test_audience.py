"""Whom a notice reaches, from values."""

from console.notices.domain.audience import ANYBODY, Audience, Listener, concerns
from console.notices.vocabulary import Topic

OPENED = Topic.CASE_OPENED


def listener(person_id="", topics=(OPENED,), queues=(), roles=()):
    return Listener(
        topics=frozenset(topics), queues=frozenset(queues), person_id=person_id, roles=frozenset(roles)
    )


def test_a_team_channel_gets_what_happens_in_its_queues_and_only_the_topics_it_asked_for():
    refunds = Audience(queue="refunds")
    assert concerns(refunds, OPENED, listener(queues=["refunds"]))
    assert concerns(refunds, OPENED, listener())
    assert not concerns(refunds, OPENED, listener(queues=["travel"]))
    assert not concerns(refunds, Topic.CASE_DUE, listener())


def test_a_notice_for_one_person_reaches_that_person_and_no_team_channel():
    mine = Audience(people=frozenset({"7"}))
    assert concerns(mine, OPENED, listener("7"))
    assert not concerns(mine, OPENED, listener("8"))
    assert not concerns(mine, OPENED, listener())


def test_a_role_reaches_its_people_and_team_channels():
    sres = Audience(roles=frozenset({"sre"}))
    assert concerns(sres, OPENED, listener("7", roles=["sre", "operator"]))
    assert not concerns(sres, OPENED, listener("7", roles=["operator"]))
    assert concerns(sres, OPENED, listener())


def test_a_person_who_follows_queues_is_told_of_those_only():
    travel = Audience(queue="travel")
    assert concerns(travel, OPENED, listener("7", queues=["travel"]))
    assert not concerns(travel, OPENED, listener("7", queues=["refunds"]))
    assert concerns(Audience(queue=""), OPENED, listener("7"))


def test_whoever_caused_it_is_not_told_but_their_team_is():
    opened = Audience(queue="refunds", people=frozenset({"7"}), not_to="7")
    assert not concerns(opened, OPENED, listener("7"))
    assert concerns(opened, OPENED, listener("8"))
    assert concerns(opened, OPENED, listener())


def test_what_is_for_anybody_reaches_whoever_asks_for_the_topic():
    news = Audience(roles=frozenset({ANYBODY}))
    assert concerns(news, OPENED, listener("7"))
    assert concerns(news, OPENED, listener())
    assert not concerns(news, Topic.CASE_DUE, listener("7"))
