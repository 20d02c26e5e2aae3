"""The fields of a form: what each is called, shows and may hold."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from console.kit.schema_form.hints import hint_of
from console.kit.schema_form.kinds import Kind, Schema, kind_of

Typed = Mapping[str, Sequence[str]]
MODE, JSON_MODE = "!as", "!json"  # after a form's prefix: "form" or "json", and the raw text
KEEP = "?"  # after a group's name: whether it is there at all
MOST_ITEMS = 60
MOST_DEPTH = 6
ABSENT = object()


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field, or a group or list of fields. `was` is the original value; ABSENT where there was none."""

    name: str
    label: str
    path: tuple[str | int, ...]
    kind: Kind
    was: Any
    required: bool = True
    shown: str = ""
    checked: bool = False
    changed: bool = False
    hint: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    fields: tuple["Field", ...] = ()
    rest: tuple[str, ...] = ()  # names in the value that the schema does not know
    blank: bool = False  # an empty item, to be filled or left
    error: str = ""
    focus: bool = False  # the cursor belongs here, because this is what is to be put right first

    @property
    def id(self) -> str:
        """Give an id that is safe in HTML whatever an agent calls its fields."""
        return "f-" + "".join(c if c.isascii() and c.isalnum() else f"_{ord(c):x}" for c in self.name)

    @property
    def absent(self) -> bool:
        """Say whether the original had nothing here."""
        return self.was is ABSENT

    def walk(self) -> Iterator["Field"]:
        """Give this field and all below it."""
        yield self
        for each in self.fields:
            yield from each.walk()

    def leaves(self) -> Iterator["Field"]:
        """Give the fields that hold something, in order."""
        return (each for each in self.walk() if each.kind.name not in {"group", "list"})


def build(schema: Schema, value: object, *, prefix: str, typed: Typed | None = None) -> Field:
    """Make the form of a value. With `typed` it shows what the person typed, otherwise the value."""
    return _field(schema, value, Place(prefix, "", (), root=schema, typed=typed))


def marked(form: Field, errors: Mapping[str, str]) -> Field:
    """Write each error at the field of its name."""
    if not errors:
        return form
    return replace(
        form, error=errors.get(form.name, ""), fields=tuple(marked(each, errors) for each in form.fields)
    )


def _escaped(part: str | int) -> str:
    return str(part).replace("~", "~0").replace("/", "~1")


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the value a field stands, and what is the same for the whole form."""

    name: str
    label: str
    path: tuple[str | int, ...]
    root: Schema
    typed: Typed | None
    required: bool = True

    def inner(self, key: str | int, *, required: bool = True) -> "Place":
        """Give the place one step further in."""
        return Place(
            f"{self.name}/{_escaped(key)}", str(key), (*self.path, key), self.root, self.typed, required
        )


def text_of(value: object) -> str:
    """Write a value as a field shows it."""
    if value is ABSENT or value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _field(schema: object, value: object, place: Place) -> Field:
    kind = kind_of(schema, None if value is ABSENT else value, place.root)
    if kind.name in {"group", "list"} and len(place.path) >= MOST_DEPTH:
        kind = Kind("json", kind.schema)
    if kind.name == "group":
        return _group(kind, value, place)
    if kind.name == "list":
        return _list(kind, value, place)
    return _leaf(kind, value, place)


def _leaf(kind: Kind, value: object, place: Place) -> Field:
    original = _original(kind, value)
    shown = _last(place.typed, place.name, original)
    was_on = value is True
    checked = (shown == "true") if place.typed is not None and place.name in place.typed else was_on
    return Field(
        name=place.name,
        label=place.label,
        path=place.path,
        kind=kind,
        was=value,
        required=place.required,
        shown=shown,
        checked=checked,
        changed=checked != was_on if kind.name == "bool" and value is not ABSENT else shown != original,
        hint=hint_of(kind),
        choices=_choices(kind, value, place),
    )


def _original(kind: Kind, value: object) -> str:
    if kind.name in {"choice", "json"} and value is not ABSENT:
        return json.dumps(value, ensure_ascii=False, indent=2 if kind.name == "json" else None)
    return text_of(value)


def _choices(kind: Kind, value: object, place: Place) -> tuple[tuple[str, str], ...]:
    """Give the values to choose from as (what is sent, what is shown); an empty one where none is allowed."""
    if kind.name == "bool" and value is ABSENT:
        return (("", ""), ("true", "true"), ("false", "false"))
    if kind.name != "choice":
        return ()
    known = [json.dumps(each, ensure_ascii=False) for each in kind.schema["enum"][:200]]
    if value is not ABSENT and (mine := json.dumps(value, ensure_ascii=False)) not in known:
        known.insert(0, mine)  # what the agent proposed stays visible, even against its own schema
    called = _called(kind)
    shown = [(each, called.get(each) or text_of(json.loads(each)) or "null") for each in known]
    return (("", ""), *shown) if value is ABSENT or not place.required else tuple(shown)


def _called(kind: Kind) -> dict[str, str]:
    """Give what a schema calls its values, by the value as it is sent: `Red (#ff0000)`."""
    names = kind.schema.get("enumNames")
    if not isinstance(names, list):
        return {}
    pairs = zip(kind.schema["enum"], names, strict=False)
    told = {
        json.dumps(value, ensure_ascii=False): (text_of(value), str(name)[:80])
        for value, name in pairs
        if name
    }
    return {sent: name if name == text else f"{name} ({text})" for sent, (text, name) in told.items()}


def _group(kind: Kind, value: object, place: Place) -> Field:
    have = value if isinstance(value, Mapping) else {}
    properties = kind.schema.get("properties") or {}
    needed = kind.schema.get("required") or ()
    fields = tuple(
        _field(inner, have.get(key, ABSENT), place.inner(key, required=key in needed))
        for key, inner in list(properties.items())[:MOST_ITEMS]
    )
    there = value is not ABSENT or (place.required and not place.label.isdigit())
    checked = _last(place.typed, place.name + KEEP, "true" if there else "") == "true"
    return Field(
        name=place.name,
        label=place.label,
        path=place.path,
        kind=kind,
        was=value,
        required=place.required,
        checked=checked,
        changed=checked != there or any(each.changed for each in fields),
        fields=fields,
        rest=tuple(str(key) for key in have if key not in properties),
        blank=value is ABSENT,
    )


def _list(kind: Kind, value: object, place: Place) -> Field:
    have = list(value)[:MOST_ITEMS] if isinstance(value, list) else []
    typed = place.typed or {}
    count = len(have)
    while count < MOST_ITEMS and any(
        name == f"{place.name}/{count}"
        or name.startswith((f"{place.name}/{count}/", f"{place.name}/{count}{KEEP}"))
        for name in typed
    ):
        count += 1
    spare = 0 if len(have) == MOST_ITEMS else 1
    items = [have[n] if n < len(have) else ABSENT for n in range(max(count, len(have) + spare))]
    fields = tuple(
        _field(kind.schema.get("items"), item, place.inner(n, required=False)) for n, item in enumerate(items)
    )
    return Field(
        name=place.name,
        label=place.label,
        path=place.path,
        kind=kind,
        was=value,
        required=place.required,
        changed=any(each.changed for each in fields),
        hint=hint_of(kind),
        fields=fields,
    )


def _last(typed: Typed | None, name: str, otherwise: str) -> str:
    """Give what was typed; of a box with its hidden twin the last one counts."""
    values = (typed or {}).get(name)
    return values[-1].replace("\r\n", "\n") if values else otherwise
