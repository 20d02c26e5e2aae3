"""What became of a decision, in one sentence: from the agent's report of tool results, or from its silence."""

from collections import Counter
from collections.abc import Mapping, Sequence

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from escalations.pages.words import DECISIONS, STEPS, word
from escalations.queries import DecisionView
from escalations.vocabulary import Decision, Execution

ORDER = ("executed", "empty", "partial", "failed", "unknown", "never_executed", "skipped", "executing")


def outcome_sentence(decision: DecisionView) -> str:
    """Say what came of a decision."""
    match decision.state:
        case Decision.EXPIRED:
            return gettext("Nobody decided by the deadline. Nothing was run. Expired is not a no.")
        case Decision.CANCELLED:
            return gettext("The agent withdrew the case. Nothing was run.")
        case Decision.SUPERSEDED:
            return gettext("The agent sent a newer revision before anybody decided. Nothing was run.")
        case Decision.REJECTED:
            return gettext("The agent is told no, with the reason. Nothing was run.")
        case Decision.RESPONDED:
            return gettext("The agent goes on with the answer. The console runs nothing.")
        case _:
            return _executed(decision)


def after_sentence(decision: DecisionView | None) -> SafeString | str:
    """Say who decided what, and what came of it."""
    if decision is None:
        return ""
    state = format_html("<b>{}</b>", word(DECISIONS, decision.state).capitalize())
    told = outcome_sentence(decision)
    if not decision.by_name:
        return format_html(gettext("{state}. {told}"), state=state, told=told)
    return format_html(gettext("{state} by {name}. {told}"), state=state, name=decision.by_name, told=told)


def items_sentence(items: Sequence[Mapping[str, object]]) -> str:
    """Count what became of the items of a batch."""
    return _counted([str(item.get("status", "")) for item in items])


SENTENCES = {
    Execution.NOT_STARTED: _("The agent has not been told yet: it is told as soon as it connects."),
    Execution.DELIVERED: _("The agent was told and has not confirmed it yet."),
    Execution.ACKNOWLEDGED: _("The agent confirmed the decision. What came of it is not known yet."),
    Execution.EXECUTING: _("The agent is at it."),
    Execution.EXECUTED: _("Executed, as decided."),
    Execution.FAILED: _("It failed: %(steps)s."),
    Execution.PARTIAL: _("Executed in part: %(steps)s."),
    Execution.NEVER_EXECUTED: _("The agent reports that nothing was executed."),
    Execution.UNKNOWN: _("The agent cannot say whether it happened: %(steps)s."),
    Execution.NO_REPORT: _("Confirmed, then silence: the agent has not reported what came of it."),
}
SILENCE = {  # how far it had come when nothing more was heard
    "told": _("Told, then silence: the agent has not confirmed it. Nobody knows whether it happened."),
    "never": _(
        "The agent was never told: it has not connected since. As far as the console knows, nothing was run."
    ),
}


def _silent(decision: DecisionView) -> str:
    if decision.acknowledged_at is not None:
        return str(SENTENCES[Execution.NO_REPORT])
    return str(SILENCE["told" if decision.delivered_at is not None else "never"])


def _executed(decision: DecisionView) -> str:
    if decision.execution is Execution.NO_REPORT:
        return _silent(decision)
    steps = _counted([step.status if step.run else "skipped" for step in decision.steps])
    return str(SENTENCES.get(decision.execution, "")) % {"steps": steps}


def _counted(statuses: Sequence[str]) -> str:
    counts = Counter("executed" if status == "succeeded" else status for status in statuses)
    known = [status for status in ORDER if counts[status]]
    parts = [f"{counts[status]} {word(STEPS, status)}" for status in known]
    if counts[""]:
        text = ngettext("%(n)s not reported", "%(n)s not reported", counts[""])
        parts.append(text % {"n": counts[""]})
    return gettext(", ").join(parts)
