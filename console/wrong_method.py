"""An address that only takes forms, opened by itself, answers with a page of the house and the way back."""

from collections.abc import Callable
from urllib.parse import quote

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render
from django.urls import Resolver404, ResolverMatch, resolve

PROGRAMS = ("/api/v1/", "/v1/", "/metrics")


class WrongMethod:
    """Middleware: puts a page in the place of a bare 405, for people; programs keep theirs."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        """Keep the next layer."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer; a refused method in the house's words."""
        answer = self.get_response(request)
        if not isinstance(answer, HttpResponseNotAllowed) or request.path_info.startswith(PROGRAMS):
            return answer
        told = {"code": 405, "back": page_above(request)}
        page = render(request, "console/error.html", told, status=405)
        page["Allow"] = answer["Allow"]
        return page


def page_above(request: HttpRequest) -> str:
    """Give the address of the page that a form stands on: the nearest above that is about the same thing."""
    here = request.resolver_match
    parts = request.path_info.strip("/").split("/")
    while here is not None and len(parts) > 1:
        parts.pop()
        above = f"/{'/'.join(parts)}/"
        if _about_the_same(above, here):
            return quote(above)
    return ""


def _about_the_same(address: str, here: ResolverMatch) -> bool:
    try:
        found = resolve(address)
    except Resolver404:
        return False
    same = all(here.kwargs.get(name) == value for name, value in found.kwargs.items())
    return same and found.url_name != here.url_name
