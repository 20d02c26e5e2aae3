"""Numbers in templates."""

from django import template

from console.kit import quantities

register = template.Library()
register.filter("count", quantities.count)
register.filter("percent", quantities.percent)
register.filter("size", quantities.size)
