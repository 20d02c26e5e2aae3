"""What an operator sends from a case's page: one operation each, a message, and back to the case."""

import orjson
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from console.kit.actor import Actor
from console.kit.http import actor
from console.kit.moments import short
from console.kit.refusal import Refused
from escalations import contract, operations
from escalations.pages import drafts, reasons
from escalations.pages.asides import do
from escalations.pages.case_view import CHECK, load
from escalations.pages.desk import Desk, PlanDesk, decision_key, desk
from escalations.pages.faults import spoken
from escalations.pages.words import DECISIONS, word
from escalations.queries import CasePage
from escalations.vocabulary import Action, Source

AGAINST_THE_RULES = frozenset({"glass_approve", "glass_reject"})
MARKED = f"?do={CHECK}#answer"


class NotShownYet(Exception):
    """What would be sent is not what the person was shown; it is shown first."""


@login_required
@require_POST
def decide(request: HttpRequest, ref: str) -> HttpResponse:
    """Send a decision, if it is the one whose difference the person has seen; whatever was typed is kept."""
    me, at = actor(request), now()
    page = load(ref, me, at)
    try:
        said = _said(request, page, me)
        outcome = operations.decide(case_id=page.row.id, said=said, by=me, at=at, source=Source.PAGE)
    except NotShownYet as why:
        drafts.keep(request, page, by=me, at=at)
        messages.warning(request, str(why))
        return _back(ref, MARKED if request.POST.get("action") == "respond" else "#what-can-be-done")
    except Refused as refusal:
        drafts.keep(request, page, by=me, at=at)
        messages.error(request, spoken(refusal))
        return _back(ref, MARKED if refusal.code == "BAD_ANSWER" and page.response_schema else "")
    made = outcome.decision
    if made is None:
        messages.success(request, _("%(ref)s: your vote is kept; somebody else has to agree.") % {"ref": ref})
        return _back(ref)
    state = word(DECISIONS, DONE[made.action] if made.action else made.kind)
    when = short(made.decided_at, now=at)
    messages.success(request, _("%(ref)s: %(state)s %(time)s.") % {"ref": ref, "state": state, "time": when})
    return _back(ref)


@login_required
@require_POST
def draft(request: HttpRequest, ref: str) -> HttpResponse:
    """Keep what was typed so far and show what it would be."""
    me, at = actor(request), now()
    drafts.keep(request, load(ref, me, at), by=me, at=at)
    return _back(ref, f"?do={CHECK}" if request.GET.get("do") == CHECK else "")


@login_required
@require_POST
def claim(request: HttpRequest, ref: str) -> HttpResponse:
    """Take a case, or take it over on purpose."""
    over = "take_over" in request.POST
    return do(
        request,
        ref,
        lambda case_id, me, at: operations.claim(
            case_id=case_id, by=me, at=at, take_over=over, source=Source.PAGE
        ),
    )


@login_required
@require_POST
def release(request: HttpRequest, ref: str) -> HttpResponse:
    """Give a case back."""
    return do(
        request,
        ref,
        lambda case_id, me, at: operations.release(case_id=case_id, by=me, at=at, source=Source.PAGE),
    )


@login_required
@require_POST
def retract(request: HttpRequest, ref: str) -> HttpResponse:
    """Take a decision back that has not left the house."""
    return do(
        request,
        ref,
        lambda case_id, me, at: operations.retract(case_id=case_id, by=me, at=at, source=Source.PAGE),
    )


@login_required
@require_POST
def resolve(request: HttpRequest, ref: str) -> HttpResponse:
    """Close what needed attention, done by hand."""
    text = request.POST.get("note", "")
    return do(
        request,
        ref,
        lambda case_id, me, at: operations.resolve(
            case_id=case_id, note=text, by=me, at=at, source=Source.PAGE
        ),
    )


@login_required
@require_POST
def note(request: HttpRequest, ref: str) -> HttpResponse:
    """Leave a note for the next person."""
    text = request.POST.get("text", "")
    return do(
        request,
        ref,
        lambda case_id, me, at: operations.add_note(
            case_id=case_id, text=text, by=me, at=at, source=Source.PAGE
        ),
    )


def _back(ref: str, place: str = "") -> HttpResponse:
    response = redirect("case", ref=ref)
    response["Location"] += place
    return response


DONE = {
    Action.APPROVE: "approved",
    Action.EDIT: "edited",
    Action.REJECT: "rejected",
    Action.RESPOND: "responded",
}


def _said(request: HttpRequest, page: CasePage, me: Actor) -> contract.Decide:
    """Read the form as the decision it is. A form made on an earlier revision says so and is judged as that."""
    form = request.POST
    base = drafts.base_revision(form, page)
    body: dict[str, object] = {"decision_key": decision_key(page, me.id), "base_revision": base}
    action = form.get("action", "")
    if action in AGAINST_THE_RULES:
        body["break_glass"] = form.get("break_glass", "")
    match action:
        case "glass_reject":
            body |= {"action": "reject", "message": form.get("break_glass", "")}
        case "reject":
            message, preset = reasons.worded(form.get("preset", ""), form.get("reason", ""))
            body |= {"action": "reject", "message": message} | ({"reason": preset} if preset else {})
        case "respond":
            body |= {"action": "respond", "message": form.get("message", ""), **_answer(request, page, me)}
        case _ if base == page.row.revision and page.row.is_open:
            body |= _plan_said(form.getlist("seen"), form.get("shown", ""), _desk(request, page, me))
        case _:
            body |= {
                "action": "approve"
            }  # too late, whatever the plan: the operation says so and keeps the attempt
    return contract.Decide.read(orjson.dumps(body))


def _desk(request: HttpRequest, page: CasePage, me: Actor) -> Desk:
    return desk(page, drafts.merged(drafts.kept(page) or {}, drafts.typed_in(request.POST)), person_id=me.id)


def _plan_said(seen: list[str], shown: str, laid: Desk) -> dict[str, object]:
    plan = laid.chosen
    if plan is None or not plan.sound:
        raise NotShownYet(_("Not sent: what cannot be sent yet is marked."))
    if plan.edits and plan.digest not in seen:
        raise NotShownYet(
            _("Not sent yet: here is the difference to the proposal. Approve again to send it.")
        )
    if shown not in {"", str(plan.index)}:
        text = _("Not sent yet: this is what plan %(letter)s would do. Approve again to send it.")
        raise NotShownYet(text % {"letter": plan.proposal.letter})
    return {"action": "edit" if plan.edits else "approve", "proposal_id": plan.proposal.id, **_choices(plan)}


def _choices(plan: PlanDesk) -> dict[str, object]:
    changed = [each for each in plan.steps if each.changes or not each.run]
    steps = [
        {"id": each.step.id, "run": each.run} | ({"args": each.args} if each.changes and each.run else {})
        for each in changed
    ]
    return {"steps": steps} if steps else {}


def _answer(request: HttpRequest, page: CasePage, me: Actor) -> dict[str, object]:
    if page.response_schema is None:
        return {}
    laid = _desk(request, page, me)
    if not laid.answer_sound:
        raise NotShownYet(_("Not sent: what cannot be sent yet is marked."))
    return {"answer": laid.answer_value} if laid.answered else {}
