"""The queue."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.timezone import now
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from console.kit.http import actor
from console.kit.refusal import Refused
from escalations import queries
from escalations.domain.permissions import DECIDERS
from escalations.pages import drafts, filters, queue_groups, rests
from escalations.pages.case_view import asides_of, load
from escalations.pages.desk import desk
from escalations.queries.deciders import decider_names
from escalations.queries.facets import facets as facet_counts
from escalations.queries.queue import silent_count
from escalations.vocabulary import View

PAGE_SIZE = 60
UNDECIDED_VIEWS = frozenset({View.OPEN, View.MINE, View.SNOOZED})


@login_required
@never_cache
@require_safe
def queue(request: HttpRequest) -> HttpResponse:
    """List the cases of one view."""
    me, at = actor(request), now()
    view = _view(request.GET.get("view", ""))
    search = request.GET.get("q", "")[:300]
    after = request.GET.get("after")
    try:
        found = queries.queue(view=view, person_id=me.id, at=at, search=search, after=after, limit=PAGE_SIZE)
    except Refused:  # a cursor that is not ours: from the top
        found = queries.queue(view=view, person_id=me.id, at=at, search=search, limit=PAGE_SIZE)
    facets = facet_counts(view=view, person_id=me.id, at=at, search=search)
    context = {
        "at": at,
        "held": queries.pauses(at=at).pauses if view is View.OPEN else (),
        "me": me,
        "view": view.value,
        "undecided": view in UNDECIDED_VIEWS,
        "search": search,
        "found": found,
        "entries": queue_groups.entries(found.rows, view=view, at=at),
        "tabs": queries.rail_counts(person_id=me.id, at=at),
        "silent": silent_count(),
        "chips": filters.chips(search, view.value),
        "facets": filters.groups(facets, search, view.value),
        "first_page": after is None,
        "may_decide": bool(me.roles & DECIDERS),
        "people": decider_names(),
        "rests": rests.rests(at=at),
        "back": request.get_full_path(),
    }
    return render(request, "escalations/queue.html", context)


@login_required
@never_cache
@require_safe
def preview(request: HttpRequest, ref: str) -> HttpResponse:
    """Show one case beside the queue, as short as it can be understood."""
    me, at = actor(request), now()
    page = load(ref, me, at)
    context = {
        "at": at,
        "me": me,
        "page": page,
        "desk": desk(page, drafts.kept(page), person_id=me.id),
        "back": reverse("queue"),
        "cause": "cause" in request.GET and page.row.is_open and page.row.same_cause > 1,
        **asides_of(page, at=at),
    }
    return render(request, "escalations/queue/_preview.html", context)


@login_required
@never_cache
@require_safe
def row(request: HttpRequest, ref: str) -> HttpResponse:
    """Show one line of the queue: what became of a case that left its view."""
    me, at = actor(request), now()
    context = {"at": at, "me": me, "row": load(ref, me, at).row}
    return render(request, "escalations/queue/_row.html", context)


def _view(word: str) -> View:
    return View(word) if word in set(View) else View.OPEN
