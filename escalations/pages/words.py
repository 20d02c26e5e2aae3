"""The console's own words for states, verbs and causes. Wire words stay as they are; these stand in our sentences.

Expired is not rejected. Unknown is not failed. Delivered is not executed. These are never merged.
"""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

Words = Mapping[str, str | Promise]

DECISIONS: Words = {
    "open": pgettext_lazy("decision", "open"),
    "approved": pgettext_lazy("decision", "approved"),
    "edited": pgettext_lazy("decision", "edited"),
    "rejected": pgettext_lazy("decision", "rejected"),
    "responded": pgettext_lazy("decision", "responded"),
    "disputed": pgettext_lazy("decision", "disputed"),
    "expired": pgettext_lazy("decision", "expired"),
    "cancelled": pgettext_lazy("decision", "cancelled"),
    "superseded": pgettext_lazy("decision", "superseded"),
}
SAID_BY_SOMEBODY = frozenset({"approved", "edited", "rejected", "responded"})
ACTIONS: Words = {
    "approve": pgettext_lazy("action", "approve"),
    "edit": pgettext_lazy("action", "approve with edits"),
    "reject": pgettext_lazy("action", "reject"),
    "respond": pgettext_lazy("action", "answer"),
}
EXECUTIONS: Words = {
    "not_started": pgettext_lazy("execution", "not delivered yet"),
    "delivered": pgettext_lazy("execution", "delivered"),
    "acknowledged": pgettext_lazy("execution", "acknowledged"),
    "executing": pgettext_lazy("execution", "executing"),
    "executed": pgettext_lazy("execution", "executed"),
    "failed": pgettext_lazy("execution", "failed"),
    "partial": pgettext_lazy("execution", "partial"),
    "never_executed": pgettext_lazy("execution", "never executed"),
    "unknown": pgettext_lazy("execution", "outcome unknown"),
    "no_report": pgettext_lazy("execution", "no report"),
    "not_applicable": pgettext_lazy("execution", "nothing to run"),
}
EXECUTION_TONES = {
    "executed": "good",
    "failed": "bad",
    "partial": "bad",
    "unknown": "warn",
    "no_report": "warn",
}
STEPS: Words = {
    "executing": pgettext_lazy("step", "executing"),
    "executed": pgettext_lazy("step", "executed"),
    "succeeded": pgettext_lazy("step", "executed"),
    "empty": pgettext_lazy("step", "worked, found nothing"),
    "failed": pgettext_lazy("step", "failed"),
    "partial": pgettext_lazy("step", "partial"),
    "never_executed": pgettext_lazy("step", "never executed"),
    "skipped": pgettext_lazy("step", "skipped"),
    "unknown": pgettext_lazy("step", "may have happened"),
    "": pgettext_lazy("step", "not reported yet"),
}
STEP_TONES = {
    "executed": "good",
    "succeeded": "good",
    "empty": "good",
    "failed": "bad",
    "partial": "bad",
    "unknown": "warn",
}
TRIGGERS: Words = {
    "auth_failure": _("credentials were refused"),
    "payment_anomaly": _("something is odd about a payment"),
    "repeated_failure": _("it failed again and again"),
    "loop_limit": _("the agent went round in circles"),
    "unknown_outcome": _("nobody knows whether it happened"),
    "policy_conflict": _("a policy forbids it"),
    "compensation_failed": _("undoing it failed"),
    "breaker_open": _("a breaker is open"),
    "requested": _("the agent was asked to hand it over"),
    "other": _("another reason"),
}
SEVERITIES: Words = {
    "low": pgettext_lazy("severity", "low"),
    "medium": pgettext_lazy("severity", "medium"),
    "high": pgettext_lazy("severity", "high"),
    "critical": pgettext_lazy("severity", "critical"),
}
KINDS: Words = {
    "compensate": pgettext_lazy("plan", "undo what was done"),
    "retry": pgettext_lazy("plan", "try again"),
    "alternate": pgettext_lazy("plan", "another way"),
    "degrade": pgettext_lazy("plan", "settle for less"),
    "continue": pgettext_lazy("plan", "go on"),
}


def word(words: Words, value: object) -> str:
    """Give our word for a wire word; one that is not known is shown as it is."""
    return str(words.get(str(value), str(value)))
