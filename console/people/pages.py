"""Pages about people: coming in, going out, one's own account, and everybody."""

import zoneinfo
from datetime import datetime

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate, login, logout, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from console.kit.actor import Actor
from console.kit.http import STATUS, actor
from console.kit.refusal import Refused
from console.people import operations, queries
from console.people.roles import Role

BACKEND = "django.contrib.auth.backends.ModelBackend"
LANGUAGES = dict(settings.LANGUAGES)


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def signin(request: HttpRequest) -> HttpResponse:
    """Let a person in by name and password."""
    onward = _next(request)
    if request.method == "GET":
        return redirect(onward) if request.user.is_authenticated else _signin_page(request, onward)
    name, password = request.POST.get("username", ""), request.POST.get("password", "")
    person = authenticate(request, username=name, password=password)
    if person is None:
        return _signin_page(request, onward, status=403, refused=True, name=name)
    login(request, person)
    return redirect(onward)


def locked_out(request: HttpRequest, response: HttpResponse, credentials: object) -> HttpResponse:  # noqa: ARG001
    """Answer too many wrong passwords; axes calls this."""
    return _signin_page(request, _next(request), status=429, locked=True)


@never_cache
@require_http_methods(["GET", "POST"])
def signin_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show a button, then spend the link: a mail scanner that fetches it signs nobody in."""
    if request.method == "GET":
        return render(request, "console/people/signin_by_link.html")
    try:
        person = operations.redeem(token=token, at=now())
    except Refused as refusal:
        context = {"refusal": refusal}
        return render(request, "console/people/signin_by_link.html", context, status=STATUS[refusal.kind])
    login(request, person, backend=BACKEND)
    return redirect("overview")


@require_POST
def signout(request: HttpRequest) -> HttpResponse:
    """Let a person out."""
    logout(request)
    return redirect("signin")


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    """Show and set what is the person's own: language, zone, password, tokens."""
    me = actor(request)
    if request.method == "GET":
        return _account_page(request, me)
    try:
        if "password" in request.POST:
            person = operations.set_password(
                person_id=int(me.id), password=request.POST["password"], by=me, at=now()
            )
            update_session_auth_hash(request, person)
            messages.success(request, _("Password set."))
        else:
            _keep_preferences(request, me)
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect("account")


@login_required
@require_POST
def make_token(request: HttpRequest) -> HttpResponse:
    """Make a personal token and show it, this once."""
    me = actor(request)
    label = request.POST.get("label", "").strip()[:80] or _("unnamed")
    token = operations.issue_token(person_id=int(me.id), label=label, by=me, at=now())
    return _account_page(request, me, new_token=token)


@login_required
@require_POST
def revoke_token(request: HttpRequest, token_id: int) -> HttpResponse:
    """Revoke one of the person's own tokens."""
    me = actor(request)
    operations.revoke_token(token_id=token_id, person_id=int(me.id), by=me, at=now())
    messages.success(request, _("Token revoked."))
    return redirect("account")


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Switch the language; kept for a signed-in person, and in a cookie for everybody."""
    chosen = request.POST.get("language", "")
    response = redirect(_next(request))
    if chosen not in LANGUAGES:
        return response
    if request.user.is_authenticated:
        me, zone = actor(request), request.user.time_zone
        operations.set_preferences(person_id=int(me.id), language=chosen, time_zone=zone, by=me, at=now())
    response.set_cookie(settings.LANGUAGE_COOKIE_NAME, chosen, max_age=365 * 24 * 3600, samesite="Lax")
    return response


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def people(request: HttpRequest) -> HttpResponse:
    """List everybody; an admin invites a person, or gives a new link, shown this once."""
    me = actor(request)
    if request.method == "GET":
        return _people_page(request, me)
    if Role.ADMIN not in me.roles:
        messages.error(request, _("Only an admin can invite people."))
        return redirect("people")
    name = request.POST.get("name", "").strip()[:150]
    try:
        if "invite" in request.POST:
            operations.create_person(name=name, roles=_roles(request), by=me, at=now())
        token = operations.issue_sign_in_link(name=name, by=me, at=now())
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("people")
    return _people_page(request, me, link_for=name, link=request.build_absolute_uri(f"/signin/{token}/"))


@login_required
@require_POST
def change_person(request: HttpRequest, person_id: int, verb: str) -> HttpResponse:
    """Set the roles of a person, deactivate or reactivate them; an admin does."""
    me, at = actor(request), now()
    if verb not in CHANGES:
        raise Http404
    if Role.ADMIN not in me.roles:
        messages.error(request, _("Only an admin can change people."))
        return redirect("people")
    try:
        messages.success(request, CHANGES[verb](request, person_id, me, at))
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect("people")


def _set_roles(request: HttpRequest, person_id: int, me: Actor, at: datetime) -> str:
    operations.set_roles(person_id=person_id, roles=_roles(request), by=me, at=at)
    return _("Roles kept. They count from the next click.")


def _deactivate(_request: HttpRequest, person_id: int, me: Actor, at: datetime) -> str:
    freed = operations.deactivate(person_id=person_id, by=me, at=at)
    return ngettext(
        "Deactivated. Sessions, links and tokens have ended; %(n)s case was given back.",
        "Deactivated. Sessions, links and tokens have ended; %(n)s cases were given back.",
        freed,
    ) % {"n": freed}


def _reactivate(_request: HttpRequest, person_id: int, me: Actor, at: datetime) -> str:
    operations.reactivate(person_id=person_id, by=me, at=at)
    return _("Reactivated, with the roles they had. They need a new sign-in link.")


CHANGES = {"roles": _set_roles, "deactivate": _deactivate, "reactivate": _reactivate}


def _roles(request: HttpRequest) -> frozenset[Role]:
    return frozenset(role for role in Role if role.value in request.POST.getlist("roles"))


def _people_page(request: HttpRequest, me: Actor, **more: object) -> HttpResponse:
    context = {
        "people": queries.everybody(),
        "roles_known": list(Role),
        "is_admin": Role.ADMIN in me.roles,
        **more,
    }
    return render(request, "console/people/people.html", context)


def _account_page(request: HttpRequest, me: Actor, **more: object) -> HttpResponse:
    context = {
        "languages": LANGUAGES.items(),
        "zones": sorted(zoneinfo.available_timezones()),
        "tokens": queries.tokens_of(person_id=int(me.id)),
        **more,
    }
    return render(request, "console/people/account.html", context)


def _signin_page(request: HttpRequest, onward: str, *, status: int = 200, **more: object) -> HttpResponse:
    return render(request, "console/people/signin.html", {"next": onward, **more}, status=status)


def _keep_preferences(request: HttpRequest, me: Actor) -> None:
    chosen, zone = request.POST.get("language", ""), request.POST.get("time_zone", "")
    if zone and zone not in zoneinfo.available_timezones():
        messages.error(request, _("There is no time zone called “%(zone)s”.") % {"zone": zone})
        return
    chosen = chosen if chosen in LANGUAGES else ""
    operations.set_preferences(person_id=int(me.id), language=chosen, time_zone=zone, by=me, at=now())
    if chosen:
        translation.activate(chosen)
    messages.success(request, _("Kept."))


def _next(request: HttpRequest) -> str:
    """Where to go afterwards: only ever an address of this console."""
    onward = request.POST.get("next") or request.GET.get("next") or ""
    hosts = {request.get_host()}
    safe = url_has_allowed_host_and_scheme(onward, allowed_hosts=hosts, require_https=request.is_secure())
    return onward if safe else "/"
