"""Reads about tools."""

from telemetry.models import Tool


def not_found_overrides() -> dict[str, bool]:
    """Give the tools of which a person has said whether "not found" is an empty answer."""
    said = Tool.objects.filter(not_found_is_empty__isnull=False).values_list("name", "not_found_is_empty")
    return {name: bool(word) for name, word in said}
