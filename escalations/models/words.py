"""A column that holds one of an enum's words, and nothing else."""

from enum import StrEnum

from django.db.models import Q


def one_of(name: str, words: type[StrEnum]) -> Q:
    """Give the condition that a column holds one of these words."""
    return Q(**{f"{name}__in": [word.value for word in words]})
