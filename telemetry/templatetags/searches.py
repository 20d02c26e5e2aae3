"""Addresses of searches: every number leads to its rows, every word in a row narrows to its like."""

from datetime import UTC, datetime
from urllib.parse import urlencode

from django import template
from django.urls import reverse

from telemetry.domain.search import term, with_term

register = template.Library()


@register.simple_tag
def calls_of(text: str = "", **words: object) -> str:
    """Give the address of the calls that have all these words; empty ones say nothing, moments are written in UTC."""
    terms = [term(field, _said(value)) for field, value in words.items() if value not in {None, ""}]
    return f"{reverse('calls')}?{urlencode({'q': ' '.join([text, *terms]).strip()})}"


@register.simple_tag
def narrowed(text: str, field: str, value: object) -> str:
    """Give the address of a search with a term put in the place of all others of its field."""
    return f"{reverse('calls')}?{urlencode({'q': with_term(text, field, str(value))})}"


def _said(value: object) -> str:
    return f"{value.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}" if isinstance(value, datetime) else str(value)
