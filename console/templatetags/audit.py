"""What an entry of the audit holds beside its verb, in words: no braces, no names of columns."""

from collections.abc import Mapping, Sequence

from django import template
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from console.templatetags.values import brief, gist, in_short, is_redacted, moment

register = template.Library()
MOST, MOST_TEXT, ID_SHOWN = 14, 160, 12
NAMES: Mapping[str, str | Promise] = {
    "name": pgettext_lazy("audit detail", "name"),
    "roles": pgettext_lazy("audit detail", "roles"),
    "reason": pgettext_lazy("audit detail", "reason"),
    "until": pgettext_lazy("audit detail", "until"),
    "expires_at": pgettext_lazy("audit detail", "until"),
    "instances": pgettext_lazy("audit detail", "instances"),
    "revision": pgettext_lazy("audit detail", "revision"),
    "trigger": pgettext_lazy("audit detail", "trigger"),
    "tool": pgettext_lazy("audit detail", "tool"),
    "key": pgettext_lazy("audit detail", "key"),
    "prefix": pgettext_lazy("audit detail", "begins with"),
    "label": pgettext_lazy("audit detail", "for"),
    "language": pgettext_lazy("audit detail", "language"),
    "time_zone": pgettext_lazy("audit detail", "time zone"),
    "owner_id": pgettext_lazy("audit detail", "owner"),
    "url": pgettext_lazy("audit detail", "address"),
    "people": pgettext_lazy("audit detail", "people"),
    "queue": pgettext_lazy("audit detail", "queue"),
    "mode": pgettext_lazy("audit detail", "mode"),
    "version": pgettext_lazy("audit detail", "version"),
    "verb": pgettext_lazy("audit detail", "was"),
    "command_id": pgettext_lazy("audit detail", "command"),
    "decision_id": pgettext_lazy("audit detail", "decision"),
    "failure_class": pgettext_lazy("audit detail", "class"),
    "code": pgettext_lazy("audit detail", "code"),
    "contains": pgettext_lazy("audit detail", "message holds"),
    "title": pgettext_lazy("audit detail", "title"),
    "subject": pgettext_lazy("audit detail", "about"),
    "cases": pgettext_lazy("audit detail", "claims given up"),
}
YES, NO = gettext_lazy("yes"), gettext_lazy("no")
PAGES = frozenset({"policy", "team", "breaker"})  # subjects that are named as their pages are


@register.filter
def audit_place(subject: str) -> str:
    """Give the address of the page of what an entry is about, blank where it has none."""
    kind, _colon, name = subject.partition(":")
    if kind == "case":
        return reverse("case", args=[f"C-{name}"])
    return reverse(kind, args=[name]) if kind in PAGES and name and "/" not in name else ""


@register.filter
def audit_detail(detail: object) -> SafeString:
    """Write what an entry holds as pairs of words; what is empty says nothing."""
    if not isinstance(detail, Mapping):
        return format_html("{}", brief(detail, MOST_TEXT) if detail else "")
    said = [(str(name), value) for name, value in detail.items() if value not in (None, "", [], {})]
    pairs = ((NAMES.get(name, name.replace("_", " ")), _said(name, value)) for name, value in said[:MOST])
    told = format_html_join(_(", "), '<span class="nowrap k">{}</span> <bdi class="wrap">{}</bdi>', pairs)
    return told if len(said) <= MOST else format_html("{}{}{}", told, _(", "), "…")


def _said(name: str, value: object) -> str:
    if isinstance(value, bool):
        return str(YES if value else NO)
    if is_redacted(value):
        return _("redacted")
    if isinstance(value, Mapping):
        return gist(value, MOST_TEXT)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return brief(", ".join(map(in_short, value)), MOST_TEXT)
    if name.endswith("_id") and isinstance(value, str):
        return value[:ID_SHOWN]
    return moment(value) or brief(value, MOST_TEXT)
