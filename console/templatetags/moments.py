"""Times in templates. The page's own `at` is the present, so that one page speaks of one moment."""

from datetime import datetime

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from console.kit import moments, quantities

register = template.Library()
SOON_S = 10 * 60  # from here a deadline is red


def _now(context: template.Context) -> datetime:
    at = context.get("at")
    return at if isinstance(at, datetime) else timezone.now()


@register.simple_tag(takes_context=True)
def clock(context: template.Context, at: datetime | None) -> SafeString | str:
    """Write a time, to the second."""
    return moments.stamp(at, now=_now(context))


@register.simple_tag(takes_context=True)
def minute(context: template.Context, at: datetime | None) -> SafeString | str:
    """Write a time, to the minute."""
    return moments.stamp(at, now=_now(context), seconds=False)


@register.simple_tag(takes_context=True)
def ago(context: template.Context, at: datetime | None) -> SafeString | str:
    """Write how long ago a time is; the script keeps it true."""
    if at is None:
        return ""
    return format_html(
        '<time datetime="{}" title="{}" data-ago>{}</time>',
        timezone.localtime(at).isoformat(timespec="milliseconds"),
        moments.exact(at),
        moments.ago((_now(context) - at).total_seconds()),
    )


@register.simple_tag(takes_context=True)
def lasts(context: template.Context, since: datetime | None) -> str:
    """Write how long something has lasted until now."""
    return "" if since is None else quantities.took((_now(context) - since).total_seconds())


@register.simple_tag(takes_context=True)
def waits(context: template.Context, since: datetime | None) -> SafeString | str:
    """Write how long something has waited; the script keeps it true."""
    if since is None:
        return ""
    return format_html(
        '<span data-since="{}">{}</span>',
        since.isoformat(),
        quantities.waited((_now(context) - since).total_seconds()),
    )


@register.simple_tag(takes_context=True)
def remains(context: template.Context, until: datetime | None) -> SafeString | str:
    """Write what is left until a time; the script counts it down."""
    if until is None:
        return ""
    return format_html(
        '<span data-until="{}">{}</span>',
        until.isoformat(),
        quantities.left((until - _now(context)).total_seconds()),
    )


@register.inclusion_tag("components/_due.html", takes_context=True)
def due(context: template.Context, until: datetime, since: datetime) -> dict[str, object]:
    """Draw a deadline: the bar empties from the right, the words carry the state."""
    now = _now(context)
    rest, whole = (until - now).total_seconds(), max((until - since).total_seconds(), 1.0)
    return {
        "until": until,
        "share": f"{max(0.0, min(1.0, rest / whole)) * 100:.0f}%",
        "soon": rest < SOON_S,
        "over": rest <= 0,
        "text": quantities.left(rest),
        "at": now,
    }


register.filter("took", quantities.took)


@register.filter
def took_ms(milliseconds: float | None) -> str:
    """Write a length given in milliseconds."""
    return "" if milliseconds is None else quantities.took(milliseconds / 1000)
