"""What people say about one call or one tool: the rules of the house give way, and counters follow."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from console.kit.http import actor
from telemetry import operations
from telemetry.domain.permissions import why_not_make_rules, why_not_relabel
from telemetry.pages.forms import attempt, back
from telemetry.vocabulary import FailureClass

WORDS = {"empty": True, "failure": False}  # anything else: as the rules of the house think


@login_required
@require_POST
def label(request: HttpRequest, call_id: int) -> HttpResponse:
    """Say what the failure of one call really was."""
    who, at, said = actor(request), now(), request.POST
    asked = said.get("class", "")

    def write() -> None:
        if asked not in set(FailureClass):
            raise operations.BadLabel("There is no such failure class.")
        name, code = FailureClass(asked), said.get("code", "").strip().upper()
        operations.relabel_call(call_id=call_id, failure_class=name, code=code, by=who, at=at)

    attempt(
        request,
        write,
        why_not=why_not_relabel,
        done=_("Relabelled. Every counter has followed; the rules will not judge this call again."),
    )
    return back(request, reverse("calls"))


@login_required
@require_POST
def not_found(request: HttpRequest, name: str) -> HttpResponse:
    """Say whether "not found" is an empty answer of a tool."""
    who, at, word = actor(request), now(), request.POST.get("value", "")
    attempt(
        request,
        lambda: operations.set_not_found_is_empty(tool=name, value=WORDS.get(word), by=who, at=at),
        why_not=why_not_make_rules,
        done=_("Said. Calls to come are judged by it at once, stored ones within the next minutes."),
    )
    return back(request, reverse("tool", args=[name]))
