"""Names in addresses: what agents call their things, whatever it is made of."""

from django.urls import register_converter


class NameConverter:
    """Any name at all: slashes and line breaks too, which Django's own converters do not let through."""

    regex = r"[\s\S]+"

    def to_python(self, value: str) -> str:
        """Give the name as it is."""
        return value

    def to_url(self, value: str) -> str:
        """Give the name as it is; `reverse` quotes it."""
        return value


register_converter(NameConverter, "name")
