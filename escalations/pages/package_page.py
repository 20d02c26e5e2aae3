"""The page of a case's package: what the agent sent, as it may be shown."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.timezone import now
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from console.kit.http import actor
from console.kit.refusal import Kind, Refused
from escalations.queries.packages import package_shown


@login_required
@never_cache
@require_safe
def package(request: HttpRequest, ref: str) -> HttpResponse:
    """Show everything a case came with."""
    text = request.GET.get("revision", "")
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
    try:
        shown = package_shown(ref=ref, revision=number, actor=actor(request))
    except Refused as refusal:
        if refusal.kind is Kind.MISSING:
            raise Http404 from refusal
        raise
    return render(request, "escalations/package.html", {"at": now(), "shown": shown})
