"""Times as people read them: in their zone, as short as the day allows, exact on hover."""

from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from console.kit.quantities import THIN


def short(at: datetime, *, now: datetime, seconds: bool = True) -> str:
    """Write a time in the active zone: only the clock on the same day, the day as well on any other."""
    here, today = timezone.localtime(at), timezone.localtime(now)
    if here.date() == today.date():
        return here.strftime("%H:%M:%S" if seconds else "%H:%M")
    if here.year == today.year:
        return date_format(here, pgettext("day and clock, Django date format", "j M H:i"))
    return date_format(here, pgettext("day, year and clock, Django date format", "j M Y H:i"))


def exact(at: datetime) -> str:
    """Write a time to the millisecond, with the name of its zone."""
    here = timezone.localtime(at)
    return f"{here:%Y-%m-%d %H:%M:%S}.{here.microsecond // 1000:03d} {here:%Z}"


def stamp(at: datetime | None, *, now: datetime, seconds: bool = True) -> SafeString | str:
    """Write a time as an element that carries its exact value."""
    if at is None:
        return ""
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        timezone.localtime(at).isoformat(timespec="milliseconds"),
        exact(at),
        short(at, now=now, seconds=seconds),
    )


def ago(seconds: float) -> str:
    """Write how long ago something was, coarsely: just now, 12 s ago, 4 min ago, 3 h ago, 2 d ago."""
    whole = int(seconds)
    if whole < 1:
        return _("just now")
    if whole < 60:
        return (_("%(n)s s ago") % {"n": whole}).replace(" ", THIN, 1)
    if whole < 3_600:
        return (_("%(n)s min ago") % {"n": whole // 60}).replace(" ", THIN, 1)
    if whole < 86_400:
        return (_("%(n)s h ago") % {"n": whole // 3_600}).replace(" ", THIN, 1)
    return (_("%(n)s d ago") % {"n": whole // 86_400}).replace(" ", THIN, 1)
