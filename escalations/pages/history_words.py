"""The history of a case as sentences: who did what, with the agent and every other person named."""

from collections.abc import Callable, Mapping
from datetime import datetime

from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from console.kit.moments import short
from escalations.pages.words import ACTIONS, EXECUTIONS, word
from escalations.queries import HistoryLine

SENTENCES: Mapping[str, str | Promise] = {
    "opened": _("{who} opened the case"),
    "revised": _("{who} sent revision {revision}"),
    "raised_again": _("{who} raised the same again and was shown what had been decided"),
    "cancelled": _("{who} withdrew the case"),
    "superseded": _("{who} replaced the revision"),
    "claimed": _("{who} claimed it"),
    "claim_renewed": _("{who} renewed the claim"),
    "claim_lapsed": _("The claim of {holder} lapsed"),
    "taken_over": _("{who} took it over from {taken_over_from}"),
    "released": _("{who} released it"),
    "assigned": _("{who} assigned it to {to}"),
    "unassigned": _("{who} took it off the list of {from}"),
    "snoozed": _("{who} put it aside until {until}"),
    "woken": _("{who} woke it again"),
    "noted": _("{who} left a note"),
    "voted": _("{who} voted: {votes} of {quorum}"),
    "disputed": _("{who} voted as well; the votes differ"),
    "approved": _("{who} approved"),
    "edited": _("{who} approved with edits"),
    "rejected": _("{who} rejected"),
    "responded": _("{who} answered"),
    "retracted": _("{who} took the decision back"),
    "decision_refused": _("{who} came too late with “{action}”; it was not applied"),
    "vote_refused": _("{who} came too late with a vote; it was not counted"),
    "default_rejected": _("Nobody decided by the deadline: no, by the declared default"),
    "default_approved": _("Nobody decided by the deadline: the plan of reads runs, as declared"),
    "expired": _("Nobody decided by the deadline: expired"),
    "delivered": _("The decision was sent to {agent}"),
    "acknowledged": _("{who} acknowledged the decision"),
    "reported": _("{who} reported: {status}"),
    "no_report": _("{agent} has not reported what came of it"),
    "webhook_given_up": _("The webhook of {agent} took nothing in {tries} tries: {fault}"),
    "redelivery_asked": _("{who} had the decision posted to the webhook of {agent} once more"),
    "resolved": _("{who} closed it, done by hand"),
    "rest_opened": _("{who} put what was left of the plan up for decision"),
    "reminded": _("A reminder went out before the deadline"),
    "chain_step": _("Nobody had decided: the next step of the chain was taken"),
    "chain_redelivery_asked": _("{who} had the chain’s post sent once more"),
    "chain_post_given_up": _("The chain’s post to its address was given up"),
    "policy_passed": _("The policy did not decide by itself: {reason}"),
}
OTHERWISE = _("{who}: {verb}")
REPORTED = "reported_"
LONGEST = 200


def sentence(line: HistoryLine, *, agent: str) -> SafeString:
    """Say one entry; of a verb without a sentence the wire's own word is shown."""
    verb = "reported" if line.verb.startswith(REPORTED) else line.verb
    if verb == "assigned" and not line.detail.get("to"):
        verb = "unassigned"
    if verb == "decision_refused" and not line.detail.get("action"):
        verb = "vote_refused"  # how they would have voted is hidden, as a vote is
    told = format_html(str(SENTENCES.get(verb, OTHERWISE)), **Told(line, agent))
    if not line.detail.get("broke"):
        return told
    why = _plain(line.detail.get("why", ""))
    return format_html(gettext("{told}, against the case’s rules: {why}"), told=told, why=why)


class Told(dict[str, object]):
    """The values that a sentence may name, made as they are asked for."""

    def __init__(self, line: HistoryLine, agent: str) -> None:
        """Know the names; the rest comes from the entry's own detail."""
        super().__init__(
            who=format_html("<b>{}</b>", _who(line)),
            agent=format_html("<b>{}</b>", agent),
            verb=line.verb.replace("_", " "),
        )
        if line.verb.startswith(REPORTED):
            self["status"] = word(EXECUTIONS, line.verb.removeprefix(REPORTED))
        for name, value in line.detail.items():
            self.setdefault(name, READ.get(name, _plain)(value))
        for name in ("holder", "taken_over_from", "to", "from"):
            self.setdefault(name, pgettext("person", "somebody"))
        for name in ("action", "status", "reason", "fault", "until", "votes", "quorum", "tries", "revision"):
            self.setdefault(name, "")


def _who(line: HistoryLine) -> str:
    if line.actor_kind == "system":
        return gettext("Switchboard")
    return line.actor_name


def _plain(value: object) -> str:
    text = str(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _time(value: object) -> str:
    at: datetime | None = parse_datetime(str(value))
    return short(at, now=timezone.now(), seconds=False) if at else ""


READ: Mapping[str, Callable[[object], str]] = {
    "until": _time,
    "action": lambda value: word(ACTIONS, value),
}
