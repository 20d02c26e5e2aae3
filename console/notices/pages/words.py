"""The words of the pages about notices."""

from dataclasses import dataclass
from datetime import timedelta

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from console.notices.vocabulary import CHOSEN, ChannelKind, Dropped, State, Topic
from console.notices.wording import NAMES

KINDS = {
    ChannelKind.EMAIL: _("E-mail"),
    ChannelKind.SLACK: _("Slack or alike"),
    ChannelKind.WEBHOOK: _("Signed webhook"),
    ChannelKind.BROWSER: _("This browser"),
}
ADDRESSES = {
    ChannelKind.EMAIL: _("E-mail address"),
    ChannelKind.SLACK: _("Address of the incoming webhook"),
    ChannelKind.WEBHOOK: _("Address that takes a POST"),
}
STATES = {
    State.WAITING: _("waiting"),
    State.OFFERED: _("offered to the browser"),
    State.SENT: _("sent"),
    State.DROPPED: _("not sent"),
    State.FAILED: _("given up"),
}
WHY_NOT = {
    Dropped.NOT_WANTED: _("decided or over before it went out"),
    Dropped.REMOVED: _("the channel was removed"),
    Dropped.UNSEEN: _("no browser was open"),
}
TAGS = {State.SENT: "good", State.FAILED: "bad", State.WAITING: "", State.OFFERED: "", State.DROPPED: ""}
MINE = frozenset({Topic.CASE_ASSIGNED, Topic.CASE_DUE, Topic.CASE_ATTENTION, Topic.VOTE_WANTED})
TEAMS = frozenset({Topic.CASE_OPENED, Topic.CASE_DUE, Topic.CASE_ATTENTION, Topic.BREAK_GLASS})
GROUPS = (
    (_("Cases"), CHOSEN[:6]),
    (_("Tools and breakers"), CHOSEN[6:]),
)
PERSONAL = frozenset({Topic.CASE_ASSIGNED})
DIGESTS = (0, 5, 15, 30, 60, 240, 1440)


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that can be ticked or chosen."""

    value: str
    label: object
    chosen: bool


def topics(chosen: frozenset[str], *, team: bool = False) -> list[tuple[object, list[Choice]]]:
    """Give the topics in groups, as boxes to tick; a team is told nothing that is for one person."""
    return [
        (
            label,
            [
                Choice(topic.value, NAMES[topic], topic.value in chosen)
                for topic in group
                if not (team and topic in PERSONAL)
            ],
        )
        for label, group in GROUPS
    ]


def digests(chosen: int) -> list[Choice]:
    """Give the paces of a digest; one that was set over REST stands among them."""
    known = sorted({*DIGESTS, chosen})
    return [Choice(str(minutes), _pace(minutes), minutes == chosen) for minutes in known]


def _pace(minutes: int) -> object:
    if not minutes:
        return _("each at once")
    if minutes % 60:
        told = ngettext("one message every %(n)s minute", "one message every %(n)s minutes", minutes)
        return told % {"n": minutes}
    hours = timedelta(minutes=minutes) // timedelta(hours=1)
    return ngettext("one message every %(n)s hour", "one message every %(n)s hours", hours) % {"n": hours}
