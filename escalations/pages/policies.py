"""Policies: the rules in order with what they matched, one of them with its form, its history and its trial."""

from datetime import datetime
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from console.kit.actor import Actor
from console.kit.http import actor
from console.kit.refusal import Refused
from escalations import contract, operations, queries
from escalations.domain.permissions import why_not_pause, why_not_rule
from escalations.pages import policy_form
from escalations.pages.faults import spoken
from escalations.pages.policy_words import DO, IS, MODES, ON_TIMEOUT
from escalations.pages.words import SEVERITIES, TRIGGERS
from escalations.queries.policy_use import matched_lately, versions
from escalations.vocabulary import Paused, PolicyMode, Source
from telemetry.vocabulary import FailureClass

TRIED, SENT = "tried", "sent"  # in the address: the rule was held against history, or sent and refused


@login_required
@never_cache
@require_safe
def policies(request: HttpRequest) -> HttpResponse:
    """List the rules in the order they are asked."""
    at = now()
    counts = matched_lately(at=at)
    told = queries.listed_policies().policies
    context = {
        "at": at,
        "rows": [(each, counts.get(each.name, 0)) for each in told],
        "held": queries.pauses(at=at).pauses,
        "may_rule": why_not_rule(actor(request)) is None,
        "suggested": queries.suggestions().suggestions,
    }
    return render(request, "escalations/policies.html", context)


@login_required
@never_cache
@require_safe
def policy(request: HttpRequest, name: str = "") -> HttpResponse:
    """Show one rule, or an empty form for a new one; what was typed stands in the address."""
    me, at = actor(request), now()
    before = _told(name)
    if name and before is None:
        raise Http404
    asked = policy_form.flat(request.GET)
    typed = asked if {TRIED, SENT} & asked.keys() else _fresh(before)
    form = policy_form.read(typed, before=before)
    shown = form if {TRIED, SENT} & asked.keys() else policy_form.Form(typed)
    context = {
        "at": at,
        "told": before,
        "form": shown,
        "typed": typed,
        "tried": _backtest(form) if TRIED in asked else None,
        "may_rule": why_not_rule(me) is None,
        "may_pause": why_not_pause(me) is None,
        "held": _held(name, at=at),
        "mine": before is not None and before.owner == me.name,
        "versions": versions(name=name) if name else (),
        "shadow": queries.shadow_report(name=name) if before and before.mode is PolicyMode.SHADOW else None,
        "matched": matched_lately(at=at).get(name, 0) if name else 0,
        **CHOICES,
    }
    return render(request, "escalations/policy.html", context)


@login_required
@require_POST
def save(request: HttpRequest) -> HttpResponse:
    """Try a rule on history, or put it into force; what does not fit goes back to its form with every word of it."""
    typed = policy_form.flat(request.POST)
    typed.pop("csrfmiddlewaretoken", None)
    do, was = typed.pop("do", ""), typed.pop("was", "")
    if do != "save":
        return redirect(f"{_page(was)}?{urlencode({**typed, TRIED: '1'})}#tried")
    form = policy_form.read(typed, before=_told(was))
    name = was or typed.get("name", "").strip()[:200]
    refused = _set(name, form, actor(request)) if form.rule else _("Not saved: what does not fit is marked.")
    if refused:
        messages.error(request, refused)
        return redirect(f"{_page(was)}?{urlencode({**typed, SENT: '1'})}")
    messages.success(
        request, _("%(name)s is saved. Open cases keep what they were opened under.") % {"name": name}
    )
    return redirect("policy", name=name)


@login_required
@require_POST
def switch(request: HttpRequest, name: str) -> HttpResponse:
    """Switch a rule on, to watching, or off."""
    word = request.POST.get("mode", "")
    if word not in set(PolicyMode):
        raise Http404
    try:
        operations.switch_policy(
            name=name, mode=PolicyMode(word), by=actor(request), at=now(), source=Source.PAGE
        )
    except Refused as refusal:
        messages.error(request, spoken(refusal))
    return redirect(
        (request.POST.get("back") == "one" and reverse("policy", args=[name])) or reverse("policies")
    )


@login_required
@require_POST
def suggested(request: HttpRequest, suggestion_id: str) -> HttpResponse:
    """Take a suggestion to watch with, or say that it is not wanted."""
    me, at = actor(request), now()
    try:
        if request.POST.get("do") == "take":
            taken = operations.take_suggestion(
                suggestion_id=suggestion_id, said=contract.TakeSuggestion(), by=me, at=at, source=Source.PAGE
            )
            messages.success(request, _("%(name)s only watches for now.") % {"name": taken.name})
            return redirect("policy", name=taken.name)
        reason = request.POST.get("reason", "").strip()[:300] or _("not wanted")
        operations.dismiss_suggestion(
            suggestion_id=suggestion_id, reason=reason, by=me, at=at, source=Source.PAGE
        )
    except Refused as refusal:
        messages.error(request, spoken(refusal))
    return redirect("policies")


CHOICES = {
    "triggers": TRIGGERS,
    "severities": SEVERITIES,
    "classes": [each.value for each in FailureClass],
    "comparisons": IS,
    "modes": MODES,
    "timeouts": ON_TIMEOUT,
    "verbs": DO,
}


def _told(name: str) -> contract.Policy | None:
    return next((each for each in queries.listed_policies().policies if name and each.name == name), None)


def _held(name: str, *, at: datetime) -> tuple[contract.Pause, ...]:
    """Give the pause of this very policy, where there is one."""
    wanted = (Paused.POLICY, name)
    return tuple(one for one in queries.pauses(at=at).pauses if (one.kind, one.name) == wanted)


def _fresh(before: contract.Policy | None) -> dict[str, str]:
    if before is not None:
        return policy_form.of_policy(before)
    return {"mode": "shadow", "position": "100", "quorum": "1"}


def _page(name: str) -> str:
    return reverse("policy", args=[name]) if name else reverse("policy-new")


def _backtest(form: policy_form.Form) -> contract.Backtest | None:
    if form.rule is None:
        return None
    return queries.backtest(match=form.rule.match.model_dump(mode="json", by_alias=True))


def _set(name: str, form: policy_form.Form, me: Actor) -> str:
    """Put a rule into force; give what was refused, blank where it holds."""
    if form.rule is None:
        return ""
    try:
        operations.set_policy(name=name, said=form.rule, by=me, at=now(), source=Source.PAGE)
    except Refused as refusal:
        return spoken(refusal)
    return ""
