"""The filter of the queue as links: what it is narrowed by, what it could be narrowed by, and how many each has."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from escalations.domain import search as filters
from escalations.pages.words import SEVERITIES, word
from escalations.queries.shapes.many import Facet

LABELS: dict[str, str | Promise] = {
    "queue": pgettext_lazy("of a team", "queue"),
    "severity": _("severity"),
    "class": _("class"),
    "tool": _("tool"),
    "agent": _("agent"),
    "cause": _("cause"),
    "code": _("code"),
    "trigger": _("trigger"),
    "trace": _("trace"),
    "is": "",
}
STATES: dict[str, str | Promise] = {"unclaimed": _("unclaimed"), "claimed": _("claimed")}


@dataclass(frozen=True, slots=True)
class Choice:
    """One link: what it says, where it leads, how many cases stand behind it."""

    label: str
    href: str
    n: int = 0


@dataclass(frozen=True, slots=True)
class Group:
    """The choices of one facet."""

    label: str
    choices: tuple[Choice, ...]


def chips(text: str, view: str) -> tuple[Choice, ...]:
    """Give what the list is narrowed by; each link takes one of it away."""
    said = filters.read(text)
    named = [
        Choice(_named(*each), _link(view, replace(said, named=tuple(o for o in said.named if o != each))))
        for each in said.named
    ]
    words = [
        Choice(f"“{each}”", _link(view, replace(said, words=tuple(o for o in said.words if o != each))))
        for each in said.words
    ]
    return (*named, *words)


def groups(found: Sequence[Facet], text: str, view: str) -> tuple[Group, ...]:
    """Give what it could be narrowed by further."""
    said = filters.read(text)
    return tuple(
        Group(
            str(LABELS[facet.name]),
            tuple(
                Choice(
                    _value(facet.name, value),
                    _link(view, replace(said, named=(*said.named, (facet.name, value)))),
                    n,
                )
                for value, n in facet.values
            ),
        )
        for facet in found
    )


def _named(name: str, value: str) -> str:
    label = str(LABELS.get(name, name))
    return f"{label} {_value(name, value)}".strip()


def _value(name: str, value: str) -> str:
    if name == "severity":
        return word(SEVERITIES, value)
    if name == "is":
        return word(STATES, value)
    return value if name != "cause" else value[:8]


def _link(view: str, said: filters.Search) -> str:
    text = filters.write(said)
    return "?" + urlencode({"view": view} | ({"q": text} if text else {}))
