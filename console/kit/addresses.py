"""Names in addresses: what agents call their things, whatever it is made of."""

import re

from django.urls import register_converter

# Browsers walk `.` and `..` in an address, however they are quoted; a tilde keeps them from it.
_WALKED = re.compile(r"(?<![^/])(~*\.\.?)(?![^/])")
_KEPT = re.compile(r"(?<![^/])~(~*\.\.?)(?![^/])")


class NameConverter:
    """Any name at all: slashes and line breaks too, which Django's own converters do not let through."""

    regex = r"[\s\S]+"

    def to_python(self, value: str) -> str:
        """Give the name of an address."""
        return _KEPT.sub(r"\1", value)

    def to_url(self, value: str) -> str:
        """Give the name as it stands in an address; `reverse` quotes it."""
        return _WALKED.sub(r"~\1", value)


register_converter(NameConverter, "name")
