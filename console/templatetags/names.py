"""Names that machines made, shown so that a narrow column breaks them where a reader would."""

import re
from functools import lru_cache

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe

register = template.Library()
LONGEST_PART = 22  # characters without a separator; a longer part breaks where it must
_PARTS = re.compile(rf"[^._\-/:@\s]{{1,{LONGEST_PART}}}[._\-/:@\s]*|[._\-/:@\s]+")
BREAK = mark_safe("<wbr />")


@register.filter
def soft(name: object) -> SafeString:
    """Allow a line to break behind each separator of a name, and nowhere inside its words."""
    return _soft(str(name))


@lru_cache(maxsize=1024)  # a list says few names many times
def _soft(name: str) -> SafeString:
    return format_html_join(BREAK, "{}", ((part,) for part in _PARTS.findall(name)))
