"""Links edit the text that people type: they add a term, exchange those of its field, or take them out."""

from functools import lru_cache

from telemetry.domain.search.terms import FIELD, terms

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-:/+>=<")


def term(field: str, value: str, *, negated: bool = False) -> str:
    """Write a term that means exactly this value; without a field, this text."""
    bare = (
        bool(value) and set(value) <= _PLAIN and (bool(field) or not (FIELD.match(value) or value[0] == "-"))
    )
    said = value if bare else '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return f"{'-' if negated else ''}{field}{':' if field else ''}{said}"


def without(text: str, *fields: str) -> str:
    """Take the terms of some fields out of a text, leaving the rest as it was typed."""
    kept = [text[one.start : one.end] for one in terms(text) if not one.field or one.field not in fields]
    return " ".join(kept)


@lru_cache(maxsize=1024)  # the rows of one page ask for the same few
def with_term(text: str, field: str, value: str) -> str:
    """Put a term in the place of all others of its field."""
    return f"{without(text, field)} {term(field, value)}".strip()
