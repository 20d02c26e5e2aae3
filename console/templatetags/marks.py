"""The signs of the house: class marks, jacks, lamps, icons, effects; each hidden where a word stands beside it."""

from functools import lru_cache

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

register = template.Library()

# symbol of each failure class in components/_sprite.html
CLASS_MARKS = {
    "invalid_args": "args",
    "transient": "transient",
    "empty": "empty",
    "hard": "hard",
    "partial": "partial",
    "unknown_outcome": "unknown",
    "internal": "internal",
}


@register.simple_tag
@lru_cache(maxsize=64)
def mark(failure_class: str, size: str = "") -> SafeString:
    """Draw a class's mark; the word must stand beside it."""
    return format_html(
        '<svg class="mark{}" aria-hidden="true"><use href="#m-{}"/></svg>',
        f" {size}" if size else "",
        CLASS_MARKS.get(failure_class, "none"),
    )


@register.simple_tag
@lru_cache(maxsize=64)
def cls(failure_class: str) -> SafeString:
    """Draw a class as mark and word. The word is the one on the wire, in every language."""
    return format_html('<span class="cls">{}{}</span>', mark(failure_class), failure_class)


@register.filter
def look(failure_class: str) -> str:
    """Give the end of the CSS class that fills with a failure class's colour."""
    return CLASS_MARKS.get(failure_class, "ink3")


@register.simple_tag
def icon(name: str) -> SafeString:
    """Draw an icon; it says nothing to a screen reader."""
    return format_html('<svg class="icon" aria-hidden="true"><use href="#i-{}"/></svg>', name)


@register.simple_tag
def jack(state: str, label: str = "") -> SafeString:
    """Draw who has a case: open, me, other, done, warn, empty. Without a label it is decoration."""
    if not label:
        return format_html('<svg class="jack" aria-hidden="true"><use href="#j-{}"/></svg>', state)
    return format_html('<svg class="jack" role="img" aria-label="{}"><use href="#j-{}"/></svg>', label, state)


@register.simple_tag
def lamp(state: str) -> SafeString:
    """Draw one instance's lamp: closed, half, open, stale."""
    return format_html('<svg class="lampdot" aria-hidden="true"><use href="#l-{}"/></svg>', state)


LAMPS = {
    "closed": "closed",
    "half_open": "half",
    "degraded": "half",
    "open": "open",
    "forced_open": "open",
}


@register.filter
def lamp_of(state: str) -> str:
    """Give the lamp, and the handle, of a breaker's state; what is not known is drawn as stale, never as closed."""
    return LAMPS.get(state, "stale")


@register.simple_tag
def handle(state: str, label: str = "") -> SafeString:
    """Draw a breaker's handle: position says it first."""
    if not label:
        return format_html('<svg width="58" height="30" aria-hidden="true"><use href="#b-{}"/></svg>', state)
    return format_html(
        '<svg width="58" height="30" role="img" aria-label="{}"><use href="#b-{}"/></svg>', label, state
    )


@register.simple_tag
def effect(side_effect: str, reversible: bool | None = None) -> SafeString:  # noqa: FBT001  # a template's words
    """Say what a step does to the world: it reads, it writes and can be undone, it cannot be undone."""
    if side_effect == "read":
        return _effect("read", _("read"))
    if reversible is True:
        return _effect("undo", _("write, can be undone"))
    if reversible is False:
        return _effect("final", _("cannot be undone"), final=True)
    return _effect("write", _("write"))


@register.simple_tag
def may_have_happened() -> SafeString:
    """Say that nobody knows whether a step had its effect."""
    return _effect("warn", _("may have happened"), final=True)


def _effect(sign: str, word: str, *, final: bool = False) -> SafeString:
    return format_html('<span class="effect{}">{}{}</span>', " final" if final else "", icon(sign), word)
