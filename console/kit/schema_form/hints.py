"""One line under a field: what it may hold, from its schema."""

from django.utils.translation import gettext as _

from console.kit.schema_form.kinds import Kind


def hint_of(kind: Kind) -> str:
    """Say type and bounds, then what the schema says of itself."""
    said = kind.schema.get("description")
    about = str(said)[:200] if isinstance(said, str) else ""
    return "; ".join(filter(None, [_bounds(kind), about]))


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
        _("like %(pattern)s") % {"pattern": pattern[:80]} if isinstance(pattern, str) else "",
        _("at most %(n)s characters") % {"n": f"{most:,}"} if isinstance(most, int) else "",
    ]
    return ", ".join(filter(None, parts))


def _number(value: object) -> str:
    return f"{value:,}" if isinstance(value, int | float) and not isinstance(value, bool) else ""
