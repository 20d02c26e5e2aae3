"""The sentence of a notice, made when it is sent or shown, in the language of whoever reads it.

What is somebody else's text stands on a line of its own and never inside a sentence of ours, except for short names.
"""

from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from console.notices.queries.shapes import Item
from console.notices.vocabulary import Topic

UNTOLD = "http://127.0.0.1:8000"  # where nobody said how people reach the console
HEADLINES = {
    Topic.CASE_OPENED: gettext_lazy("%(ref)s needs a decision"),
    Topic.CASE_ASSIGNED: gettext_lazy("%(ref)s was given to you"),
    Topic.CASE_DUE: gettext_lazy("%(ref)s is undecided and its deadline is near"),
    Topic.CASE_ATTENTION: gettext_lazy("%(ref)s was decided and needs attention: %(state)s"),
    Topic.VOTE_WANTED: gettext_lazy("%(ref)s waits for another vote"),
    Topic.BREAK_GLASS: gettext_lazy("%(by)s broke the glass at %(ref)s"),
    Topic.SPIKE_OPENED: gettext_lazy("%(name)s is rising at %(tool)s"),
    Topic.SPIKE_CLOSED: gettext_lazy("%(name)s at %(tool)s is back to usual"),
    Topic.NEW_FAILURE: gettext_lazy("%(tool)s failed in a way not seen before"),
    Topic.BREAKER_FORCED: gettext_lazy("%(by)s set breaker %(name)s: %(state)s"),
    Topic.FLEET_OPEN: gettext_lazy("Breaker %(name)s is open across the fleet"),
    Topic.WEBHOOK_FAILING: gettext_lazy("The webhook of %(agent)s takes no decisions"),
    Topic.TEST: gettext_lazy("A test, asked for by %(by)s"),
}
PEOPLE_NEEDED = "person"  # the name of the spike that counts calls which need people, over all tools
ABOUT_PEOPLE = {
    Topic.SPIKE_OPENED: gettext_lazy("More calls than usual need people"),
    Topic.SPIKE_CLOSED: gettext_lazy("As many calls as usual need people again"),
}
NAMES = {
    Topic.CASE_OPENED: gettext_lazy("a case opens"),
    Topic.CASE_ASSIGNED: gettext_lazy("a case is given to me"),
    Topic.CASE_DUE: gettext_lazy("a deadline is near"),
    Topic.CASE_ATTENTION: gettext_lazy("a decided case needs attention"),
    Topic.VOTE_WANTED: gettext_lazy("a vote is wanted"),
    Topic.BREAK_GLASS: gettext_lazy("somebody breaks the glass"),
    Topic.SPIKE_OPENED: gettext_lazy("a spike opens"),
    Topic.SPIKE_CLOSED: gettext_lazy("a spike closes"),
    Topic.NEW_FAILURE: gettext_lazy("a failure never seen before"),
    Topic.BREAKER_FORCED: gettext_lazy("a breaker is set by hand"),
    Topic.FLEET_OPEN: gettext_lazy("a breaker is open across the fleet"),
    Topic.WEBHOOK_FAILING: gettext_lazy("an agent’s webhook fails"),
    Topic.TEST: gettext_lazy("a test"),
}


class _Values(dict[str, str]):
    """The words of a notice; one that is not there is a dash."""

    def __missing__(self, name: str) -> str:
        return "–"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A notice in words: our sentence, the case's own title, what else is named, and the page."""

    headline: str
    title: str
    aside: str
    url: str

    @property
    def line(self) -> str:
        """Give all of it but the address on one line."""
        return " · ".join(part for part in (self.headline, self.title, self.aside) if part)


def told(item: Item) -> Told:
    """Put a notice into words of the active language."""
    topic = Topic(item.topic)
    named = [item.words.get(name, "") for name in ("tool", "queue", "agent")]
    sentences = ABOUT_PEOPLE if item.words.get("name") == PEOPLE_NEEDED else HEADLINES
    headline = str(sentences.get(topic, HEADLINES[topic])) % _Values(item.words)
    return Told(
        headline=headline,
        title=item.words.get("title", ""),
        aside=", ".join(name for name in named if name and name not in headline),
        url=outside(item.link),
    )


def subject(items: tuple[Item, ...]) -> str:
    """Give the one line above a message."""
    if len(items) == 1:
        one = told(items[0])
        return ": ".join(part for part in (one.headline, one.title) if part)
    return ngettext("%(n)s notice", "%(n)s notices", len(items)) % {"n": len(items)}


def foot() -> str:
    """Say why this came, and where to change it."""
    return _("You get this because of your choices at %(url)s") % {"url": outside("/account/notifications/")}


def outside(path: str) -> str:
    """Give a page's address as it is reached from outside."""
    return (settings.PUBLIC_URL or UNTOLD) + path
