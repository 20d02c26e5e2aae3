"""The page of one cause: its open cases together, and what was decided on it before."""

import uuid

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.timezone import now
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from console.kit.http import actor
from console.kit.refusal import Kind, Refused
from escalations.domain.permissions import DECIDERS
from escalations.pages import reasons
from escalations.pages.bulk import item_of
from escalations.queries.cause_page import cause_page
from escalations.vocabulary import Action


@login_required
@never_cache
@require_safe
def group(request: HttpRequest, fingerprint: str) -> HttpResponse:
    """Show every open case of a cause, to be decided once for those that are ticked."""
    me, at = actor(request), now()
    try:
        page = cause_page(fingerprint=fingerprint, actor=me, at=at)
    except Refused as refusal:
        if refusal.kind is Kind.MISSING:
            raise Http404 from refusal
        raise
    context = {
        "at": at,
        "me": me,
        "page": page,
        "items": [item_of(one, Action.APPROVE, me) for one in page.cases],
        "key": uuid.uuid4().hex,
        "back": reverse("group", args=[fingerprint]),
        "may_decide": bool(me.roles & DECIDERS),
        "do": request.GET.get("do", ""),
        "reasons": reasons.REASONS,
    }
    return render(request, "escalations/group.html", context)
