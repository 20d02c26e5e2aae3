"""A policy in words: which cases it means, and what follows for them."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from console.kit.quantities import took
from escalations.pages.faults import brief
from escalations.pages.words import ACTIONS, SEVERITIES, TRIGGERS, word

Said = Mapping[str, Any]
MODES: Mapping[str, str | Promise] = {
    "on": pgettext_lazy("policy", "rules"),
    "shadow": pgettext_lazy("policy", "only watches"),
    "off": pgettext_lazy("policy", "off"),
}
IS: Mapping[str, str | Promise] = {
    "equal": gettext_lazy("is"),
    "not_equal": gettext_lazy("is not"),
    "one_of": gettext_lazy("is one of"),
    "like": gettext_lazy("is like"),
    "more_than": gettext_lazy("is more than"),
    "less_than": gettext_lazy("is less than"),
    "at_least": gettext_lazy("is at least"),
    "at_most": gettext_lazy("is at most"),
}
ON_TIMEOUT: Mapping[str, str | Promise] = {
    "expire": gettext_lazy("it expires"),
    "reject": gettext_lazy("the agent is told no"),
}
AUTO: Mapping[str, str | Promise] = {
    "approve": gettext_lazy("approve the plan of exactly these calls"),
    "reject": gettext_lazy("reject, with these words"),
}
CHANGES: Mapping[str, str | Promise] = {
    "policy_made": gettext_lazy("made it"),
    "policy_set": gettext_lazy("changed it"),
    "policy_on": gettext_lazy("switched it on"),
    "policy_shadow": gettext_lazy("lets it only watch"),
    "policy_off": gettext_lazy("switched it off"),
    "policy_dropped": gettext_lazy("dropped it"),
    "automatic_paused": gettext_lazy("held its decisions back"),
    "automatic_pause_changed": gettext_lazy("changed how long they are held back"),
    "automatic_resumed": gettext_lazy("let its decisions go on"),
}
DO: Mapping[str, str | Promise] = {
    "notify": gettext_lazy("tell a person or a team"),
    "on_call": gettext_lazy("tell who is on call in a team"),
    "wait": gettext_lazy("wait, in minutes"),
    "repeat": gettext_lazy("begin again, so many times"),
    "webhook": gettext_lazy("post to an address"),
}


def match_words(match: Said) -> str:
    """Say which cases a policy means."""
    return _(", ").join(_match(match)) or _("every case")


def effect_words(effect: Said) -> str:
    """Say what follows for them."""
    return _("; ").join(_effect(effect)) or _("nothing changes")


def _match(match: Said) -> Iterator[str]:
    if match.get("tool"):
        yield _("tool %(name)s") % {"name": match["tool"]}
    if match.get("class"):
        yield _("class %(name)s") % {"name": match["class"]}
    if match.get("agent"):
        yield _("agent %(name)s") % {"name": match["agent"]}
    if match.get("trigger"):
        yield word(TRIGGERS, match["trigger"])
    if match.get("severity"):
        yield _("severity %(name)s") % {"name": word(SEVERITIES, match["severity"])}
    if match.get("risk"):
        yield _("risk “%(name)s”") % {"name": match["risk"]}
    for each in match.get("arguments") or ():
        told = {"path": each["path"], "is": word(IS, each["is"]), "value": brief(each["value"])}
        yield _("%(path)s %(is)s %(value)s") % told


def _effect(effect: Said) -> Iterator[str]:
    if effect.get("queue"):
        yield _("queue “%(name)s”") % {"name": effect["queue"]}
    if effect.get("deadline_s"):
        yield _("due within %(took)s") % {"took": took(effect["deadline_s"])}
    if effect.get("on_timeout"):
        yield _("if nobody decides, %(what)s") % {"what": word(ON_TIMEOUT, effect["on_timeout"])}
    quorum = int(effect.get("quorum") or 1)
    if quorum > 1:
        yield ngettext("%(n)s person has to agree", "%(n)s people have to agree", quorum) % {"n": quorum}
    yield from _guarded(effect)
    if effect.get("decide"):
        yield _("decides by itself: %(action)s") % {"action": word(ACTIONS, effect["decide"].get("action"))}


def _guarded(effect: Said) -> Iterator[str]:
    if effect.get("four_eyes"):
        yield _("not by the agent’s owner")
    if effect.get("require_claim"):
        yield _("claimed first")
    if effect.get("chain"):
        n = len(effect["chain"])
        yield ngettext("a chain of %(n)s step", "a chain of %(n)s steps", n) % {"n": n}
    if effect.get("remind_before_s"):
        yield _("reminders before the deadline")
    if effect.get("tools_may_become"):
        yield _("an edit may put in %(tools)s") % {"tools": _(", ").join(effect["tools_may_become"])}
    if effect.get("break_glass"):
        yield _("the glass may be broken by %(roles)s") % {"roles": _(", ").join(effect["break_glass"])}
