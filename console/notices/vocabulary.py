"""The words of notices, as they are stored, sent and shown."""

from enum import StrEnum


class Topic(StrEnum):
    """What a notice is about."""

    CASE_OPENED = "case_opened"
    CASE_ASSIGNED = "case_assigned"
    CASE_DUE = "case_due"
    CASE_ATTENTION = "case_attention"
    VOTE_WANTED = "vote_wanted"
    BREAK_GLASS = "break_glass"
    SPIKE_OPENED = "spike_opened"
    SPIKE_CLOSED = "spike_closed"
    NEW_FAILURE = "new_failure"
    BREAKER_FORCED = "breaker_forced"
    FLEET_OPEN = "fleet_open"
    WEBHOOK_FAILING = "webhook_failing"
    TEST = "test"  # asked for by whoever set the channel up


class Urgency(StrEnum):
    """How much it matters that somebody reads it now."""

    LOW = "low"
    NORMAL = "normal"
    URGENT = "urgent"  # goes out in quiet hours and past a digest, where the person allows it


class ChannelKind(StrEnum):
    """By what a message travels."""

    EMAIL = "email"
    SLACK = "slack"
    WEBHOOK = "webhook"
    BROWSER = "browser"


class State(StrEnum):
    """How far the delivery of one notice on one channel has come."""

    WAITING = "waiting"
    OFFERED = "offered"  # a browser may show it
    SENT = "sent"  # the other side took it: a 2xx, the mail server's yes, a browser that showed it
    DROPPED = "dropped"  # nothing was sent, and nothing will be: `fault` says why
    FAILED = "failed"  # given up after many tries; somebody may ask for another


class Dropped(StrEnum):
    """Why nothing was sent."""

    NOT_WANTED = "not_wanted"  # decided, closed or resolved meanwhile
    REMOVED = "removed"  # the channel is gone
    UNSEEN = "unseen"  # no browser was open


PENDING = frozenset({State.WAITING, State.OFFERED})
CHOSEN = tuple(topic for topic in Topic if topic is not Topic.TEST)  # what a channel may ask for
