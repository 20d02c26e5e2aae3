"""Other people's JSON, shown: escaped, capped, redacted places black, long lists folded to a count."""

import json
import re
from collections.abc import Mapping, Sequence

from django import template
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from console.kit import difference, moments

register = template.Library()
MOST_ITEMS, MOST_TEXT, MOST_DEPTH = 40, 1_200, 12
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*(Z|[+-]\d\d:?\d\d)$")
REF = "$ref"  # how the wire writes a value that only the agent may resolve


@register.filter
def tree(value: object) -> SafeString:
    """Show a JSON value on few lines: keys dim, redacted values black, nothing without end."""
    return _tree(value, 0)


@register.filter
def brief(value: object, most: int = 80) -> str:
    """Write a JSON value as one short line of text."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= most else text[: most - 1] + "…"


@register.filter
def gist(value: object, most: int = 110) -> str:
    """Write what is in a JSON value as words: names with their values, lists as how many."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ngettext("%(n)s item", "%(n)s items", len(value)) % {"n": len(value)}
    if not isinstance(value, Mapping) or is_redacted(value):
        return brief(value, most)
    return brief(", ".join(f"{key} {in_short(one)}" for key, one in list(value.items())[:12]), most)


@register.filter
def pretty(value: object) -> str:
    """Write a JSON value indented, for a text field."""
    return json.dumps(value, ensure_ascii=False, indent=2)


@register.inclusion_tag("components/_diff.html")
def diff(old: object, new: object) -> dict[str, object]:
    """Show what differs between two JSON values."""
    return {"lines": difference.lines(old, new)}


def is_redacted(value: object) -> bool:
    """Say whether a value is a reference that only the agent can resolve."""
    return isinstance(value, Mapping) and set(value) == {REF}


def in_short(value: object) -> str:
    """Write one value in a few characters: lists as how many, objects as a sign."""
    if is_redacted(value):
        return "█"
    if isinstance(value, Mapping):
        return "{…}" if value else "{}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"×{len(value)}"
    return moment(value) or brief(value, 40)


def moment(value: object) -> str:
    """Write what looks like a time as one, in the person's zone; blank for anything else."""
    if not isinstance(value, str) or not MOMENT.match(value):
        return ""
    try:
        at = parse_datetime(value)
        return moments.short(at, now=timezone.now(), seconds=False) if at and at.tzinfo else ""
    except (ValueError, OverflowError):  # a time that no calendar has
        return ""


def _tree(value: object, depth: int) -> SafeString:
    if is_redacted(value):
        return format_html('<span class="redact">{}</span>', _("redacted"))
    if isinstance(value, Mapping):
        return _object(value, depth)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return _array(value, depth)
    if isinstance(value, str) and len(value) > MOST_TEXT:
        more = ngettext("%(n)s more character", "%(n)s more characters", len(value) - MOST_TEXT) % {
            "n": f"{len(value) - MOST_TEXT:,}"
        }
        shown = json.dumps(value[:MOST_TEXT] + "…", ensure_ascii=False)
        return format_html('{} <span class="k">{}</span>', shown, more)
    return format_html("{}", json.dumps(value, ensure_ascii=False))


def _object(value: Mapping[str, object], depth: int) -> SafeString:
    if not value:
        return mark_safe("{}")
    if depth >= MOST_DEPTH:
        return mark_safe("{…}")
    items = list(value.items())
    inner = format_html_join(
        ", ",
        '<span class="k">{}</span>: {}',
        (
            (json.dumps(str(key), ensure_ascii=False), _tree(one, depth + 1))
            for key, one in items[:MOST_ITEMS]
        ),
    )
    return format_html("{}{}{}{}", "{", inner, _more(len(items)), "}")


def _array(value: Sequence[object], depth: int) -> SafeString:
    if not value:
        return mark_safe("[]")
    if depth >= MOST_DEPTH:
        return mark_safe("[…]")
    inner = format_html_join(", ", "{}", ((_tree(one, depth + 1),) for one in value[:MOST_ITEMS]))
    return format_html("[{}{}]", inner, _more(len(value)))


def _more(length: int) -> SafeString:
    hidden = length - MOST_ITEMS
    if hidden <= 0:
        return mark_safe("")
    text = ngettext("%(n)s more", "%(n)s more", hidden) % {"n": f"{hidden:,}"}
    return format_html(', <span class="k">{}</span>', text)
