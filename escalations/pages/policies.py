"""Policies: the rules in order with what they matched, one of them with its form, its history and its trial."""

from collections.abc import Mapping
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
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from console.kit.http import STATUS, actor
from console.kit.refusal import Refused
from escalations import contract, operations, queries
from escalations.domain.permissions import why_not_pause, why_not_rule
from escalations.pages import policy_form
from escalations.pages.faults import spoken
from escalations.pages.policy_words import AUTO, DO, IS, MODES, ON_TIMEOUT
from escalations.pages.words import SEVERITIES, TRIGGERS
from escalations.queries.policies import policy_named, policy_rows
from escalations.queries.policy_use import cases_lately, matched_lately, versions
from escalations.vocabulary import Paused, PolicyMode, Source
from telemetry.vocabulary import FailureClass

PAGE, SHOWN = 100, 30


@login_required
@never_cache
@require_safe
def policies(request: HttpRequest) -> HttpResponse:
    """List the rules in the order they are asked, a page at a time."""
    at, search = now(), request.GET.get("q", "").strip()[:200]
    try:
        found = policy_rows(search=search, after=request.GET.get("after"), limit=PAGE)
    except Refused:  # a cursor that is not ours: from the top
        found = policy_rows(search=search, limit=PAGE)
    counts = matched_lately(at=at)
    context = {
        "at": at,
        "rows": [(each, counts.get(each.name, 0)) for each in found.rows],
        "after": found.after,
        "search": search,
        "here": request.GET.get("after", "")[:400],
        "first_page": not request.GET.get("after"),
        "held": queries.pauses(at=at).pauses,
        "may_rule": why_not_rule(actor(request)) is None,
        "suggested": () if search or request.GET.get("after") else queries.suggestions().suggestions,
    }
    return render(request, "escalations/policies.html", context)


@login_required
@never_cache
@require_safe
def policy(request: HttpRequest, name: str = "") -> HttpResponse:
    """Show one rule, or an empty form for a new one."""
    before = policy_named(name) if name else None
    if name and before is None:
        raise Http404
    return _form_page(request, policy_form.Form(_fresh(before)), before)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def save(request: HttpRequest) -> HttpResponse:
    """Try a rule on history, or put it into force; what does not fit comes back with every word of it."""
    if request.method != "POST":  # signed in again on the way: the form is gone, the list is there
        return redirect("policies")
    typed = policy_form.flat(request.POST)
    do, was = typed.pop("do", ""), typed.pop("was", "")
    before = policy_named(was) if was else None
    if do.startswith("more-"):
        return _form_page(request, policy_form.Form(policy_form.with_rows(typed, do)), before)
    form = policy_form.read({**typed, "name": was or typed.get("name", "")}, taken=_taken(was, typed))
    if do != "save" or form.rule is None:
        return _form_page(request, form, before, tried=do != "save", status=200 if form.rule else 422)
    name = was or typed["name"].strip()
    try:
        operations.set_policy(name=name, said=form.rule, by=actor(request), at=now(), source=Source.PAGE)
    except Refused as refusal:
        messages.error(request, spoken(refusal))
        return _form_page(request, form, before, status=STATUS[refusal.kind])
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
    if request.POST.get("back") == "one":
        return redirect("policy", name=name)
    kept = {word: text[:400] for word in ("q", "after") if (text := request.POST.get(word, ""))}
    return redirect(f"{reverse('policies')}?{urlencode(kept)}" if kept else "policies")


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
    "auto": AUTO,
}


def _held(name: str, *, at: datetime) -> tuple[contract.Pause, ...]:
    """Give the pause of this very policy, where there is one."""
    wanted = (Paused.POLICY, name)
    return tuple(one for one in queries.pauses(at=at).pauses if (one.kind, one.name) == wanted)


def _fresh(before: contract.Policy | None) -> dict[str, str]:
    if before is not None:
        return policy_form.of_policy(before)
    return {"mode": "shadow", "position": "100", "quorum": "1", "decide_undo": "60"}


def _taken(was: str, typed: Mapping[str, str]) -> bool:
    """Say whether a new rule would silently replace another of its name."""
    name = typed.get("name", "").strip()
    return not was and bool(name) and policy_named(name) is not None


def _form_page(
    request: HttpRequest,
    form: policy_form.Form,
    before: contract.Policy | None,
    *,
    tried: bool = False,
    status: int = 200,
) -> HttpResponse:
    me, at = actor(request), now()
    name = before.name if before else ""
    matched, cases = cases_lately(name=name, at=at, limit=SHOWN) if name else (0, ())
    context = {
        "at": at,
        "told": before,
        "form": form,
        "typed": form.typed,
        "tried": _backtest(form) if tried else None,
        "may_rule": why_not_rule(me) is None,
        "may_pause": why_not_pause(me) is None,
        "held": _held(name, at=at),
        "mine": before is not None and before.owner == me.name,
        "versions": versions(name=name) if name else (),
        "shadow": queries.shadow_report(name=name) if before and before.mode is PolicyMode.SHADOW else None,
        "matched": matched,
        "cases": cases,
        **CHOICES,
    }
    return render(request, "escalations/policy.html", context, status=status)


def _backtest(form: policy_form.Form) -> contract.Backtest | None:
    if form.rule is None:
        return None
    return queries.backtest(match=form.rule.match.model_dump(mode="json", by_alias=True))
