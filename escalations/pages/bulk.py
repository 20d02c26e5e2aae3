"""Many cases at once: looked over, done, and told one by one."""

import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

import orjson
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.timezone import now
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from console.kit.actor import Actor
from console.kit.http import actor
from console.kit.refusal import Refused
from escalations import contract, operations
from escalations.domain.permissions import DECIDERS
from escalations.pages import bulk_words, reasons, rests
from escalations.pages.asides import ours
from escalations.pages.faults import REFUSALS, spoken
from escalations.queries.picking import picked, refs_in
from escalations.queries.shapes.many import Reviewed
from escalations.vocabulary import Action, Source, View

DECIDING = {"approve": Action.APPROVE, "reject": Action.REJECT}
KEPT = "bulk"  # the session's key for what became of the last few
MOST_KEPT = 5
KEY = re.compile(r"[A-Za-z0-9_-]{1,64}")  # it names the page of what became of it
MOST_DIGITS = 9
NEVER = 10**MOST_DIGITS - 1  # a revision that no case has: answered as one that is not current


@dataclass(frozen=True, slots=True)
class Item:
    """One case on the page that is looked over: what would be done, or why not."""

    one: Reviewed
    sentence: SafeString
    why_not: str

    @property
    def value(self) -> str:
        """Name the case at the revision that is shown."""
        return f"{self.one.row.ref}.{self.one.row.revision}"


@login_required
@require_POST
def pick(request: HttpRequest) -> HttpResponse:
    """Take what was ticked to the page where it is looked over; nothing is decided here."""
    asked = request.POST
    values = [("do", asked.get("do", ""))] + [
        ("item", value) for value in _chosen(asked, actor(request), now())
    ]
    if ours(asked.get("back", "")):
        values.append(("back", asked["back"]))
    return redirect(f"{reverse('bulk')}?{urlencode(values)}")


@login_required
@never_cache
def bulk(request: HttpRequest) -> HttpResponse:
    """Show what would be done to each, and do it when it is sent."""
    if request.method == "POST":
        return _done(request)
    return _looked_over(request)


@never_cache
@require_safe
def _looked_over(request: HttpRequest) -> HttpResponse:
    me, at = actor(request), now()
    do = request.GET.get("do", "")
    if do not in DECIDING:
        raise Http404
    refs = [value.partition(".")[0] for value in request.GET.getlist("item")]
    items = [item_of(one, DECIDING[do], me) for one in picked(refs=refs, actor=me, at=at)]
    context: dict[str, object] = {
        "at": at,
        "me": me,
        "do": do,
        "items": items,
        "able": sum(not item.why_not for item in items),
        "key": uuid.uuid4().hex,
        "back": place if ours(place := request.GET.get("back", "")) else reverse("queue"),
        "may_decide": bool(me.roles & DECIDERS),
        "reasons": reasons.REASONS,
        "preset": request.GET.get("preset", ""),
        "words": request.GET.get("words", ""),
    }
    return render(request, "escalations/bulk.html", context)


def item_of(one: Reviewed, action: Action, me: Actor) -> Item:
    """Say of a case what this action would do with it."""
    why_not = bulk_words.why_not(one, action, me)
    return Item(one, bulk_words.sentence(one, action), why_not)


def _done(request: HttpRequest) -> HttpResponse:
    me, at = actor(request), now()
    asked = request.POST
    values = _chosen(asked, me, at)
    if not values:
        messages.warning(request, bulk_words.nothing_ticked())
        return redirect(_back(asked))
    if (
        _verb(asked) == Action.REJECT
        and not reasons.worded(asked.get("preset", ""), asked.get("words", ""))[0]
    ):
        messages.error(request, str(REFUSALS["REASON_NEEDED"]))
        return redirect(_again(asked, values))
    rows = {one.row.ref: one for one in picked(refs=[v.partition(".")[0] for v in values], actor=me, at=at)}
    key = _key(asked)
    try:
        said = _said(asked, values, rows, key=key, at=at)
    except Refused as refusal:
        messages.error(request, spoken(refusal))
        return redirect(_again(asked, values))
    answer = operations.bulk(said=said, by=me, at=at, source=Source.PAGE)
    refs = {one.row.id: one.row.ref for one in rows.values()}
    results = [bulk_words.Result.of(refs[result.id], result) for result in answer.results]
    if said.verb not in {verb.value for verb in DECIDING.values()} and all(each.done for each in results):
        messages.success(request, bulk_words.all_done(said.verb.value, len(results)))
        return redirect(_back(asked))
    _keep(request, asked, key, said.verb.value, results)
    return redirect("bulk-done", key=key)


@login_required
@never_cache
@require_safe
def done(request: HttpRequest, key: str) -> HttpResponse:
    """Tell of each case what became of it, and what came of it since."""
    kept = request.session.get(KEPT, {}).get(key)
    if kept is None:
        raise Http404
    me, at = actor(request), now()
    results = [bulk_words.Result(**each) for each in kept["results"]]
    now_at = {one.row.ref: one.row for one in picked(refs=[r.ref for r in results], actor=me, at=at)}
    left = [each for each in results if not each.done and each.ref in now_at and now_at[each.ref].is_open]
    context = {
        "at": at,
        "me": me,
        "verb": kept["verb"],
        "back": kept["back"],
        "lines": [(each, now_at.get(each.ref)) for each in results],
        "counts": (sum(each.done for each in results), sum(not each.done for each in results)),
        "again": urlencode(
            [("do", kept["verb"]), ("back", kept["back"])] + [("item", each.ref) for each in left]
        )
        if left and kept["verb"] in DECIDING
        else "",
    }
    return render(request, "escalations/bulk_done.html", context)


def _chosen(asked: QueryDict, me: Actor, at: datetime) -> list[str]:
    """Give what was ticked: single cases at their revision, whole causes, or all of a view and filter."""
    values = [value for value in asked.getlist("item") if value]
    view = next((each for each in View if each == asked.get("view")), View.OPEN)
    for cause in asked.getlist("cause"):
        values += refs_in(view=View.OPEN, person_id=me.id, at=at, search=f"cause:{cause} is:unclaimed")
    if asked.get("all"):
        values += refs_in(view=view, person_id=me.id, at=at, search=asked.get("q", "")[:300])
    seen: dict[str, str] = {}
    for value in values:
        seen.setdefault(value.partition(".")[0], value)
    return list(seen.values())


def _said(
    asked: QueryDict, values: Sequence[str], rows: Mapping[str, Reviewed], *, key: str, at: datetime
) -> contract.Bulk:
    """Read the form as what is asked of many; a case that was never looked at is taken as it stands."""
    items = []
    for value in values:
        ref, _dot, revision = value.partition(".")
        if (one := rows.get(ref)) is not None:
            base = _revision(revision, one)
            plan = {"proposal_id": one.plan.id} if one.plan and base == one.row.revision else {}
            items.append({"id": str(one.row.id), "base_revision": base, **plan})
    message, reason = reasons.worded(asked.get("preset", ""), asked.get("words", ""))
    until = rests.until(asked.get("rest", ""), asked.get("at", ""), at=at)
    body = {
        "key": key,
        "verb": _verb(asked),
        "items": items,
        "message": message or None,
        "reason": reason or None,
        "until": until.isoformat() if until else None,
        "person": asked.get("person") or None,
    }
    return contract.Bulk.read(orjson.dumps(body))


def _key(asked: QueryDict) -> str:
    """Give the form's key; one that no form of ours has is replaced before anything is decided."""
    key = asked.get("key", "")
    return key if KEY.fullmatch(key) else uuid.uuid4().hex


def _revision(text: str, one: Reviewed) -> int:
    """Give the revision that was looked at; what no revision can be was never looked at."""
    if not text:
        return one.row.revision
    fits = text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS
    return (int(text) if fits else 0) or NEVER


def _keep(
    request: HttpRequest, asked: QueryDict, key: str, verb: str, results: Sequence[bulk_words.Result]
) -> None:
    kept = dict(request.session.get(KEPT, {}))
    kept.pop(key, None)
    kept[key] = {"verb": verb, "back": _back(asked), "results": [each.stored() for each in results]}
    request.session[KEPT] = dict(list(kept.items())[-MOST_KEPT:])


def _verb(asked: QueryDict) -> str:
    """Give what the pressed button asks for; each line of the snooze menu is one."""
    return "snooze" if "rest" in asked else asked.get("verb", "")


def _back(asked: QueryDict) -> str:
    place = asked.get("back", "")
    return place if ours(place) else reverse("queue")


def _again(asked: QueryDict, values: Sequence[str]) -> str:
    """Give the page where it was written, with every word of it."""
    verb = _verb(asked)
    if verb not in DECIDING:
        return _back(asked)
    fields = [("do", verb), ("back", _back(asked)), *(("item", value) for value in values)]
    fields += [(name, asked.get(name, "")) for name in ("preset", "words")]
    return f"{reverse('bulk')}?{urlencode(fields)}"
