"""How many, where it may be a part of one or many hundred: as many digits as say something."""

from django import template

register = template.Library()


@register.filter
def amount(number: float | None) -> str:
    """Write a number: 492, 6.2, 0.02."""
    if number is None:
        return "–"
    if number >= 10 or number == 0:
        return f"{number:,.0f}"
    return f"{number:.1f}" if number >= 0.95 else f"{number:.2f}"
