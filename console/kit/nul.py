"""NUL characters from outside end here: PostgreSQL stores none in text, and a page must not break over one."""

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse, QueryDict

INSTEAD = "\ufffd"


class WithoutNul:
    """Middleware: in a query or a form a NUL becomes the replacement character; an address with one is no address.

    Bodies of the API are JSON and go through `kit.wire` and `kit.clean`.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Neutralise, then go on."""
        if "\0" in request.path_info:
            raise Http404
        query = request.META.get("QUERY_STRING", "")
        if "%00" in query:
            request.META["QUERY_STRING"] = query.replace("%00", "%EF%BF%BD")
        if request.method == "POST" and "form" in (request.content_type or ""):
            request.POST = without_nul(request.POST)  # type: ignore[assignment]  # the stubs know no setter
        return self._get_response(request)


def without_nul(form: QueryDict) -> QueryDict:
    """Give the form itself where it has no NUL, else a copy without."""
    if not any("\0" in text for name, texts in form.lists() for text in (name, *texts)):
        return form
    clean = QueryDict(mutable=True)
    for name, texts in form.lists():
        clean.setlist(name.replace("\0", INSTEAD), [text.replace("\0", INSTEAD) for text in texts])
    clean._mutable = False  # noqa: SLF001  # as Django leaves it after parsing
    return clean
