"""The form of a team: people in their order, a row each, moved up and down without a script; and the handover."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

import orjson
from django.http import QueryDict
from django.utils.translation import gettext as _

from console.kit.refusal import Refused
from escalations import contract
from escalations.pages import names
from escalations.pages.faults import brief, said

SPARE = 2  # empty rows at the end
MORE = 5  # rows that "more rows" adds
MOST = 50
PLACES = ("zone", "weekday", "handover", "since")


@dataclass(frozen=True, slots=True)
class TeamForm:
    """What was typed, and what of it is wrong: the name of a field → a sentence."""

    name: str = ""
    people: tuple[str, ...] = ()
    zone: str = "UTC"
    weekday: str = "0"
    handover: str = "09:00"
    since: str = ""
    rows: int = 0
    errors: Mapping[str, str] = field(default_factory=dict)

    @property
    def places(self) -> Iterator[tuple[int, str]]:
        """Give every row with who stands in it, some empty ones at the end."""
        count = min(MOST, max(self.rows, len(self.people) + SPARE))
        for n in range(count):
            yield n, self.people[n] if n < len(self.people) else ""


def of_team(told: contract.Team) -> TeamForm:
    """Write a team as its form."""
    return TeamForm(
        name=told.name,
        people=told.people,
        zone=told.zone,
        weekday=str(told.weekday),
        handover=told.handover,
        since=told.since.isoformat(),
    )


def typed(post: QueryDict, *, name: str = "") -> TeamForm:
    """Give the form as it was sent; rows without a name close up."""
    people = tuple(each.strip()[:200] for each in post.getlist("people") if each.strip())[:MOST]
    return TeamForm(
        name=name or post.get("name", "").strip()[:200],
        people=people,
        zone=post.get("zone", "UTC")[:64],
        weekday=post.get("weekday", "0")[:4],
        handover=post.get("handover", "").strip()[:8],
        since=post.get("since", "").strip()[:12],
        rows=len(post.getlist("people")),
    )


def changed(form: TeamForm, do: str) -> TeamForm:
    """Do what a button of a row asks: `up-2`, `off-2`, or `more` empty rows."""
    verb, _dash, text = do.partition("-")
    at = int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else -1
    people = list(form.people)
    if verb == "more":
        return replace(form, rows=len(people) + SPARE + MORE)
    if verb == "up" and 0 < at < len(people):
        people[at - 1], people[at] = people[at], people[at - 1]
    elif verb == "off" and 0 <= at < len(people):
        del people[at]
    return replace(form, people=tuple(people))


def read(form: TeamForm) -> tuple[contract.SetTeam | None, TeamForm]:
    """Read the form as the contract does the body of a request; what does not fit is marked at its field."""
    wrong = {"name": fault} if (fault := names.fault(form.name)) else {}
    if twice := sorted({each for each in form.people if form.people.count(each) > 1}):
        wrong["people"] = _("%(name)s stands in the order twice.") % {"name": brief(twice[0])}
    if form.since and not _is_day(form.since):
        wrong["since"] = _("“%(text)s” is not a day.") % {"text": form.since}
    body = {
        "people": form.people,
        "zone": form.zone,
        "weekday": int(form.weekday) if form.weekday.isdecimal() and form.weekday.isascii() else form.weekday,
        "handover": form.handover,
        "since": form.since or None,
    }
    if wrong:
        return None, marked(form, wrong)
    try:
        return contract.SetTeam.read(orjson.dumps(body)), form
    except Refused as refusal:
        return None, refused(form, refusal)


def refused(form: TeamForm, refusal: Refused) -> TeamForm:
    """Put each fault of a refusal at its field."""
    found: dict[str, str] = {}
    for fault in refusal.errors:
        place = (fault.field or "").split(".")[0]
        text = said(fault)
        if fault.code == "NO_SUCH_DECIDER":
            text = _("%(name)s may not decide.") % {"name": brief(fault.received)}
        found.setdefault(place if place in {*PLACES, "people"} else "", text)
    return marked(form, found or {"": refusal.detail})


def marked(form: TeamForm, errors: Mapping[str, str]) -> TeamForm:
    """Give the form with its faults."""
    return replace(form, errors=errors)


def choices(form: TeamForm, deciders: Sequence[str]) -> tuple[str, ...]:
    """Give everybody who can be put into the order, and whoever stands in it and could not decide."""
    return tuple(dict.fromkeys((*deciders, *form.people)))


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
