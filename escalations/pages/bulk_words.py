"""What doing one thing to many would do to each, and what became of each."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from console.kit.actor import Actor
from console.kit.refusal import Refused
from escalations import contract
from escalations.pages import plan_words
from escalations.pages.faults import REFUSALS, spoken, who_was_first
from escalations.queries.shapes.many import Reviewed
from escalations.vocabulary import Action, Verb

CODES: Mapping[str, str | Promise] = {
    "STALE_REVISION": _("The agent has sent a newer revision since; look at it again."),
    "NO_SUCH_PROPOSAL": _("It has no plan of its own to approve: choose one on its page."),
    "ACTION_NOT_OFFERED": _("The agent does not take this answer here."),
    "ALREADY_VOTED": _("You have voted on it already; somebody else has to."),
    "NOT_ALLOWED_NOW": _("Not possible now."),
    "BAD_SNOOZE": _("It is due before that time."),
    "NO_SUCH_CASE": _("There is no such case any more."),
    "NO_SUCH_DECIDER": _("There is no operator of that name."),
    "DATABASE_BUSY": _("The database is busy: nothing was done here. Do it again."),
}


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one case, as it is told and as the session keeps it."""

    ref: str
    done: bool
    code: str
    told: str

    @classmethod
    def of(cls, ref: str, result: contract.BulkResult) -> "Result":
        """Put an answer of the operation into words."""
        return cls(ref, result.done, result.code, "" if result.done else _told(result))

    def stored(self) -> dict[str, Any]:
        """Give it as plain values."""
        return asdict(self)


def sentence(one: Reviewed, action: Action) -> SafeString:
    """Say what the action would do with a case."""
    if action is Action.REJECT:
        return format_html("{}", gettext("The agent is told no, with your reason. Nothing is run."))
    if one.plan is None:
        return format_html("{}", "")
    tools = {step.id: step.tool for step in one.plan.steps}
    steps = [plan_words.Planned(step, True, 0, tools.get(step.run_if_step, "")) for step in one.plan.steps]
    return plan_words.short(steps)


def why_not(one: Reviewed, action: Action, me: Actor) -> str:
    """Say why a case cannot be decided with many others, blank where it can."""
    refused = one.why_not.get(Verb.DECIDE)
    if refused is not None:
        return _refused(refused)
    row = one.row
    if row.holder_id and row.holder_id != me.id:
        return gettext("%(name)s has it.") % {"name": row.holder_name}
    if action not in one.allowed:
        return str(CODES["ACTION_NOT_OFFERED"])
    if action is Action.APPROVE and one.plan is None:
        return str(CODES["NO_SUCH_PROPOSAL"])
    if action is Action.APPROVE and one.plan and one.plan.why_not:
        return _refused(one.plan.why_not)
    return ""


def all_done(verb: str, n: int) -> str:
    """Say in one line that something was done to all."""
    texts = {
        "claim": ngettext("%(n)s case claimed.", "%(n)s cases claimed.", n),
        "release": ngettext("%(n)s case released.", "%(n)s cases released.", n),
        "snooze": ngettext("%(n)s case put aside.", "%(n)s cases put aside.", n),
        "assign": ngettext("%(n)s case assigned.", "%(n)s cases assigned.", n),
    }
    return texts.get(verb, "%(n)s") % {"n": n}


def nothing_ticked() -> str:
    """Say that nothing was asked for."""
    return gettext("Nothing is ticked.")


def _refused(refusal: Refused) -> str:
    return str(CODES.get(refusal.code) or spoken(refusal))


def _told(result: contract.BulkResult) -> str:
    winner = result.extra.get("winner")
    if isinstance(winner, dict):
        return who_was_first(winner)
    held = result.extra.get("held")
    if isinstance(held, dict):
        return gettext("%(name)s has it.") % {"name": held.get("holder", "")}
    known = CODES.get(result.code) or REFUSALS.get(result.code)
    return str(known or gettext(result.detail))
