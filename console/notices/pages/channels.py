"""The pages of channels: a person's own, the teams', and one of them."""

from datetime import time

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.timezone import get_current_timezone_name, now
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from console.kit.actor import Actor
from console.kit.http import STATUS, actor
from console.kit.refusal import Refused
from console.notices import contract, operations, queries
from console.notices.domain import permissions
from console.notices.domain.permissions import ADMIN, insist_on_person
from console.notices.pages import forms, words
from console.notices.pages.log import lines_of
from console.notices.queries import ChannelLine
from console.notices.vocabulary import CHOSEN, ChannelKind

RECENT = 10


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def notifications(request: HttpRequest) -> HttpResponse:
    """Show a person's own channels and what came lately; set quiet hours."""
    me = actor(request)
    if request.method == "GET":
        return _own_page(request, me)
    try:
        zone = get_current_timezone_name()
        operations.set_quiet_hours(said=_quiet(request), zone=zone, by=me, at=now(), source="page")
        messages.success(request, _("Kept."))
    except (Refused, ValueError):
        messages.error(request, _("Quiet hours have a beginning and an end, such as 22:00 and 07:00."))
    return redirect("notifications")


@login_required
@never_cache
@require_safe
def channels(request: HttpRequest) -> HttpResponse:
    """Show the teams' channels."""
    return _team_page(request, actor(request))


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def new_channel(request: HttpRequest, kind: str) -> HttpResponse:
    """Make a channel; what was typed stays where it is not taken. A signed webhook's secret is shown this once."""
    if kind not in set(ChannelKind):
        raise Http404
    me, wanted, team = actor(request), ChannelKind(kind), "team" in request.GET
    if team and ADMIN not in me.roles:
        raise PermissionDenied
    if request.method == "GET":
        return _form_page(request, forms.fresh(wanted, team=team))
    form = forms.typed(request.POST, wanted, team=team)
    try:
        said = forms.asked(form, contract.NewChannel, kind=wanted.value, team=team)
        made = operations.add_channel(said=said, by=me, at=now(), source="page")
    except Refused as refusal:
        return _form_page(
            request, forms.typed(request.POST, wanted, team=team, refusal=refusal), refusal=refusal
        )
    if made.secret:
        page = _team_page if team else _own_page
        return page(request, me, secret=made.secret, secret_of=made.line.name)
    messages.success(request, _("Added. Send a test to see that it arrives."))
    return redirect(_home(made.line))


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def channel(request: HttpRequest, channel_id: int) -> HttpResponse:
    """Show a channel's settings and change them; what was typed stays where it is not taken."""
    me, line = actor(request), _mine(request, channel_id)
    if request.method == "GET":
        return _form_page(request, forms.of_line(line), line=line)
    kind, team = ChannelKind(line.kind), line.person_id is None
    form = forms.typed(request.POST, kind, team=team)
    try:
        said = forms.asked(form, contract.ChangedChannel, base_version=form.version)
        operations.change_channel(channel_id=channel_id, said=said, by=me, at=now(), source="page")
    except Refused as refusal:
        again = forms.typed(request.POST, kind, team=team, refusal=refusal)
        return _form_page(request, again, line=line, refusal=refusal)
    messages.success(request, _("Kept."))
    return redirect(_home(line))


@login_required
@require_POST
def act_on_channel(request: HttpRequest, channel_id: int, verb: str) -> HttpResponse:
    """Test, pause, resume or remove a channel."""
    me, at = actor(request), now()
    line = _mine(request, channel_id)
    try:
        match verb:
            case "test":
                operations.send_test(channel_id=channel_id, by=me, at=at, source="page")
                messages.success(request, _("A test is on its way; its line below says how it ends."))
            case "pause" | "resume":
                paused = verb == "pause"
                operations.pause_channel(channel_id=channel_id, paused=paused, by=me, at=at, source="page")
            case "remove":
                operations.remove_channel(channel_id=channel_id, by=me, at=at, source="page")
                messages.success(request, _("Removed. What waited for it was not sent."))
            case _:
                raise Http404
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect(_home(line))


def _own_page(request: HttpRequest, me: Actor, **more: object) -> HttpResponse:
    person_id = insist_on_person(me)
    zones = {
        "person_zone": getattr(request.user, "time_zone", ""),
        "browser_zone": get_current_timezone_name(),
    }
    recent = queries.deliveries(person_id=person_id, everything=False, own=True, limit=RECENT)
    context = {
        "channels": _shown(queries.own_channels(person_id=person_id)),
        "wishes": queries.preferences(person_id=person_id, **zones),
        "lines": lines_of(recent.rows, me),
        "kinds": words.KINDS.items(),
        **more,
    }
    return render(request, "notices/notifications.html", context)


def _team_page(request: HttpRequest, me: Actor, **more: object) -> HttpResponse:
    person_id = insist_on_person(me)
    recent = queries.deliveries(person_id=person_id, everything=False, own=False, limit=RECENT)
    kinds = [(kind, name) for kind, name in words.KINDS.items() if kind is not ChannelKind.BROWSER]
    context = {
        "channels": _shown(queries.team_channels()),
        "lines": lines_of(recent.rows, me),
        "kinds": kinds,
        "is_admin": ADMIN in me.roles,
        **more,
    }
    return render(request, "notices/channels.html", context)


def _form_page(
    request: HttpRequest,
    form: forms.ChannelForm,
    *,
    line: ChannelLine | None = None,
    refusal: Refused | None = None,
) -> HttpResponse:
    status = STATUS[refusal.kind] if refusal is not None else 200
    return render(request, "notices/channel.html", {"form": form, "line": line}, status=status)


def _shown(lines: tuple[ChannelLine, ...]) -> list[dict[str, object]]:
    return [
        {
            "line": line,
            "kind": words.KINDS[ChannelKind(line.kind)],
            "everything": len(line.topics) == len(CHOSEN),
            "topics": [
                name.label
                for _group, names in words.topics(frozenset(line.topics))
                for name in names
                if name.chosen
            ],
            "digest": next(pace.label for pace in words.digests(line.digest_minutes) if pace.chosen),
        }
        for line in lines
    ]


def _mine(request: HttpRequest, channel_id: int) -> ChannelLine:
    """Give a channel that this person may change."""
    line = queries.channel_line(channel_id=channel_id)
    if line is None:
        raise Http404
    try:
        permissions.insist(actor(request), owner_id=line.person_id)
    except permissions.NoSuchChannel as exc:
        raise Http404 from exc
    except Refused as exc:
        raise PermissionDenied from exc
    return line


def _home(line: ChannelLine) -> str:
    return "channels" if line.person_id is None else "notifications"


def _quiet(request: HttpRequest) -> contract.SetPreferences:
    ends = [request.POST.get(name, "").strip() for name in ("quiet_from", "quiet_until")]
    start, end = (time.fromisoformat(text).replace(tzinfo=None) if text else None for text in ends)
    return contract.SetPreferences(
        quiet_from=start, quiet_until=end, urgent_at_once="urgent_at_once" in request.POST
    )
