"""The readable page of the API."""

from functools import cache

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

from console.reference.document import Reference, read


@login_required
@require_safe
def api_page(request: HttpRequest) -> HttpResponse:
    """Show every address, what it takes and what it answers."""
    return render(request, "console/api.html", {"reference": _reference()})


@cache
def _reference() -> Reference:
    """Read the document once: it changes with the code alone."""
    generator = SchemaGenerator()  # type: ignore[no-untyped-call]  # spectacular's
    return read(generator.get_schema(request=None, public=True))  # type: ignore[no-untyped-call]
