"""Numbers in templates."""

from django import template

from console.kit import quantities

register = template.Library()
register.filter("count", quantities.count)
register.filter("percent", quantities.percent)
register.filter("size", quantities.size)
register.filter("took", quantities.took)


@register.filter
def took_ms(milliseconds: float | None) -> str:
    """Write how long something lasted, from milliseconds."""
    return quantities.took(None if milliseconds is None else milliseconds / 1000)
