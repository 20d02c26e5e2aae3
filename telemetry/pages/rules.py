"""Rules about causes: what one would take in is shown first; made and taken back by name, and back-filled."""

from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from console.kit.http import actor
from telemetry import operations, queries
from telemetry.domain.classification import VERSION
from telemetry.domain.permissions import why_not_make_rules
from telemetry.pages.forms import attempt, back
from telemetry.vocabulary import FailureClass


@dataclass(frozen=True, slots=True)
class Draft:
    """A rule as the form says it, before it is one."""

    contains: str
    title: str
    tool: str
    failure_class: str
    code: str


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def rules(request: HttpRequest) -> HttpResponse:
    """List the rules; make one."""
    if request.method == "POST":
        _make(request, _draft(request.POST))
        return back(request, reverse("cause-rules"))
    told = {
        "rules": queries.rules(),
        "tool_rules": queries.tool_rules(),
        "backfills": queries.backfills(),
        "version": VERSION,
    }
    return render(request, "telemetry/rules.html", {**told, **asked_rule(request)})


@login_required
@require_POST
def drop(request: HttpRequest, rule_id: int) -> HttpResponse:
    """Take a rule back."""
    who, at = actor(request), now()
    attempt(
        request,
        lambda: operations.drop_fingerprint_rule(rule_id=rule_id, by=who, at=at),
        why_not=why_not_make_rules,
        done=_("Taken back. Stored failures are judged again without it."),
    )
    return back(request, reverse("cause-rules"))


def asked_rule(request: HttpRequest, *, tool: str = "", contains: str = "") -> dict[str, object]:
    """Give the form of a rule, and what the one that was asked for would take in."""
    draft = _draft(request.GET) if "contains" in request.GET else Draft(contains, "", tool, "", "")
    preview = None
    if request.GET.get("contains", "").strip():
        preview = queries.preview_rule(contains=draft.contains, tool=draft.tool)
    return {
        "draft": draft,
        "preview": preview,
        "classes": list(FailureClass),
        "may_rule": why_not_make_rules(actor(request)) is None,
    }


def _draft(said: QueryDict) -> Draft:
    words = {
        word: said.get(word, "").strip()[:200] for word in ("contains", "title", "tool", "class", "code")
    }
    name = words["class"] if words["class"] in set(FailureClass) else ""
    return Draft(words["contains"], words["title"], words["tool"], name, words["code"].upper())


def _make(request: HttpRequest, draft: Draft) -> None:
    who, at = actor(request), now()
    attempt(
        request,
        lambda: operations.set_fingerprint_rule(
            contains=draft.contains,
            title=draft.title,
            tool=draft.tool,
            failure_class=FailureClass(draft.failure_class) if draft.failure_class else None,
            code=draft.code,
            by=who,
            at=at,
        ),
        why_not=why_not_make_rules,
        done=_("Made. Calls to come are judged by it at once, stored ones within the next minutes."),
    )
