"""What failed, in one or two sentences of the console's own: from class, code and figures, never from a model."""

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from console.kit.quantities import took
from escalations.queries import CasePage, FailureView

REFUSED_WHO = frozenset({"UNAUTHORIZED", "TOKEN_EXPIRED", "AUTH_EXPIRED", "FORBIDDEN", "PERMISSION_DENIED"})
SHORT = 60
WORKED = frozenset({"succeeded", "recovered", "degraded", "executed"})
TRIGGERED = {
    "auth_failure": gettext_lazy("{tool} was refused its credentials."),
    "payment_anomaly": gettext_lazy("{tool}: something is odd about the payment."),
    "repeated_failure": gettext_lazy("{tool} failed again and again."),
    "loop_limit": gettext_lazy("The agent went round in circles with {tool} and has reached its limit."),
    "unknown_outcome": gettext_lazy(
        "{tool} was sent and nobody knows what came of it. It may have happened."
    ),
    "policy_conflict": gettext_lazy("A policy forbids what {tool} was to do."),
    "compensation_failed": gettext_lazy("What {tool} was to undo is not undone."),
    "breaker_open": gettext_lazy("The breaker before {tool} is open; it was not called."),
    "requested": gettext_lazy("The agent was told to hand over at {tool}."),
}
STOPPED = {
    "payment_anomaly": gettext_lazy("{tool} worked, and what it showed about the payment is odd."),
    "loop_limit": TRIGGERED["loop_limit"],
    "policy_conflict": TRIGGERED["policy_conflict"],
    "requested": TRIGGERED["requested"],
}


def cause(page: CasePage) -> SafeString:
    """Say what happened to the call that a case is about; where it names no class, by why the case was opened."""
    failure = page.failure
    if failure is None:
        return _say(_("No call failed: the agent asks before it goes on."))
    if failure.failure_class:
        return of_failure(failure)
    if worked(page):
        text = STOPPED.get(page.row.trigger, _("{tool} worked; the agent stopped at what it showed."))
    else:
        text = TRIGGERED.get(page.row.trigger, _("{tool} failed; nobody has said of which kind."))
    return _say(str(text), tool=format_html("<code>{}</code>", failure.tool))


def worked(page: CasePage) -> bool:
    """Say whether the call that the agent stopped at did what it was to do."""
    failure = page.failure
    return failure is not None and any(
        step.call_id == failure.call_id and step.status in WORKED for step in page.steps
    )


def of_failure(failure: FailureView) -> SafeString:
    """Say what happened to a call of a known class."""
    tool = format_html("<code>{}</code>", failure.tool)
    match failure.failure_class:
        case "unknown_outcome":
            return _unknown(tool, failure)
        case "invalid_args":
            return _invalid(tool, failure)
        case "transient":
            return _transient(tool, failure)
        case "empty":
            return _say(_("{tool} worked and found nothing useful."), tool=tool)
        case "hard":
            return _hard(tool, failure)
        case "partial":
            return _say(_("{tool} did a part of it; the rest was refused or failed."), tool=tool)
        case "internal":
            return _say(
                _("{tool} itself broke. Sending the same call again would break it again."), tool=tool
            )
        case _:
            return _say(_("{tool} failed; nobody has said of which kind."), tool=tool)


def _unknown(tool: str, failure: FailureView) -> SafeString:
    said = _say(_("{tool} was sent and nobody knows what came of it. It may have happened."), tool=tool)
    if failure.side_effect == "read":
        return said
    return _say(_("{one} {two}"), one=said, two=_("Repeating it blindly could do it twice."))


def _invalid(tool: str, failure: FailureView) -> SafeString:
    if failure.field and failure.received_given and len(str(failure.received)) <= SHORT:
        return _say(
            _("{tool} refused {field}: it does not take {received}."),
            tool=tool,
            field=format_html("<code>{}</code>", failure.field),
            received=format_html("<q>{}</q>", failure.received),
        )
    if failure.field:
        field = format_html("<code>{}</code>", failure.field)
        return _say(_("{tool} refused what stands in {field}."), tool=tool, field=field)
    return _say(_("{tool} refused the arguments."), tool=tool)


def _transient(tool: str, failure: FailureView) -> SafeString:
    tries = len(failure.attempts)
    if tries < 2:
        return _say(_("{tool} could not be reached, or had too much to do."), tool=tool)
    text = ngettext(
        "{tool} could not be reached: {n} attempt within {took}.",
        "{tool} could not be reached: {n} attempts within {took}, none worked.",
        tries,
    )
    return _say(text, tool=tool, n=tries, took=took(failure.total_ms / 1000))


def _hard(tool: str, failure: FailureView) -> SafeString:
    if failure.code in REFUSED_WHO or failure.http_status == 401:
        return _say(
            _("{tool} refused who is asking. Trying again changes nothing until that is put right."),
            tool=tool,
        )
    return _say(_("{tool} refused, and would refuse again."), tool=tool)


def _say(text: str, **parts: object) -> SafeString:
    return format_html(text, **parts)
