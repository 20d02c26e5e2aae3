"""One line under a field: what it may hold, from its schema."""

from django.utils.translation import gettext as _

from console.kit.schema_form.kinds import Kind
from console.kit.schema_form.patterns import in_words


def hint_of(kind: Kind) -> str:
    """Say what the schema says of itself, then type and bounds; a bare pattern comes last."""
    said = kind.schema.get("description")
    about = str(said)[:200] if isinstance(said, str) else ""
    parts = [_bounds(kind), about, *_written(kind)]
    return _("; ").join(filter(None, parts))


def _bounds(kind: Kind) -> str:
    match kind.name:
        case "integer":
            return _range(kind, _("integer"))
        case "number":
            return _range(kind, _("number"))
        case "text" | "area":
            return _length(kind)
        case "date":
            return _("date")
        case "json":
            return _("JSON")
        case "list":
            return _("leave an item empty to drop it")
        case _:
            return ""


def _range(kind: Kind, word: str) -> str:
    least, most = (_number(kind.schema.get(name)) for name in ("minimum", "maximum"))
    if least and most:
        return _("%(word)s, %(least)s to %(most)s") % {"word": word, "least": least, "most": most}
    if least:
        return _("%(word)s, at least %(least)s") % {"word": word, "least": least}
    if most:
        return _("%(word)s, at most %(most)s") % {"word": word, "most": most}
    return word


def _length(kind: Kind) -> str:
    form, pattern, most = (kind.schema.get(name) for name in ("format", "pattern", "maxLength"))
    parts = [
        str(form)[:40] if isinstance(form, str) else "",
        in_words(pattern) if isinstance(pattern, str) else "",
        _("at most %(n)s characters") % {"n": f"{most:,}"} if isinstance(most, int) else "",
    ]
    return _(", ").join(filter(None, parts))


def _written(kind: Kind) -> list[str]:
    """Give an example or two, and a pattern that no words were found for."""
    pattern, examples = kind.schema.get("pattern"), kind.schema.get("examples")
    said = []
    if kind.name in {"text", "area"} and isinstance(examples, list):
        shown = [each for each in examples if isinstance(each, str) and each][:2]
        if shown:
            said.append(_("for example %(examples)s") % {"examples": _(", ").join(shown)[:80]})
    if kind.name in {"text", "area"} and isinstance(pattern, str) and not in_words(pattern):
        said.append(_("must fit the pattern %(pattern)s") % {"pattern": pattern[:80]})
    return said


def _number(value: object) -> str:
    return f"{value:,}" if isinstance(value, int | float) and not isinstance(value, bool) else ""
