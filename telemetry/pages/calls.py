"""The calls that were reported, found by a search that is one line of text; links edit the same line."""

from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.timezone import localtime, now
from django.views.decorators.http import require_safe

from console.kit.paging import BadCursor
from telemetry import queries
from telemetry.domain.buckets import cut, start_of
from telemetry.domain.search import FIELDS, Mistake, read, term, without
from telemetry.queries import Found
from telemetry.vocabulary import FailureClass, Outcome, Window

PAGE = 60
OLDER_WORDS = {"by": "recovered", "from": "since", "to": "until"}  # as the bars of charts say it
OFFERED = (("class", (*FailureClass, "*")), ("outcome", tuple(Outcome)))


@dataclass(frozen=True, slots=True)
class Choice:
    """A value that one click adds, or takes out where it is on."""

    field: str
    value: str
    on: bool
    href: str


@dataclass(frozen=True, slots=True)
class Wrong:
    """A part that is wrong, and the search as it may have been meant."""

    mistake: Mistake
    href: str


@dataclass(frozen=True, slots=True)
class Line:
    """The search as it is written, what is wrong with it, and what one click makes of it."""

    text: str
    mistakes: tuple[Wrong, ...]
    choices: tuple[Choice, ...]
    is_newest: bool

    @property
    def query(self) -> str:
        """Give it as it stands in an address."""
        return urlencode({"q": self.text})


@login_required
@require_safe
def calls(request: HttpRequest) -> HttpResponse:
    """List calls, newest first."""
    text, after, at = _text(request), request.GET.get("after") or None, localtime(now())
    reading = read(text, at=at)
    try:
        page = Found(()) if reading.mistakes else queries.search(reading.asked, after=after, limit=PAGE)
    except BadCursor as refusal:
        raise Http404 from refusal
    wrong = tuple(Wrong(one, _mended(text, one)) for one in reading.mistakes)
    line = Line(text, wrong, tuple(_choices(text)), is_newest=after is None)
    told = {"page": page, "line": line, "fields": tuple(FIELDS.values())}
    return render(request, "telemetry/calls.html", told)


def _mended(text: str, one: Mistake) -> str:
    """Give the address of a search with one part as it may have been meant; none where nothing is near."""
    said = text[: one.start] + one.mended + text[one.end :]
    return f"{reverse('calls')}?{urlencode({'q': said})}" if one.mended else ""


def _text(request: HttpRequest) -> str:
    """Give the search of an address: as it was typed, and what links of other pages add in words of their own."""
    given = request.GET
    parts = [given.get("q", "").strip()]
    for word, value in given.dict().items():
        field = OLDER_WORDS.get(word, word)
        if field in FIELDS and value.strip():
            parts.append(term(field, value.strip()))
    if given.get("failed"):
        parts.append("class:*")
    if given.get("window", "") in set(Window) and not given.get("from"):
        parts.append(_since(Window(given["window"]), now()))
    return " ".join(part for part in parts if part)


def _since(window: Window, at: datetime) -> str:
    return f"since:{start_of(cut(window, at=at).start, 1):%Y-%m-%dT%H:%MZ}"


def _choices(text: str) -> list[Choice]:
    """Offer the values of the fields that have few."""
    found = []
    for field, values in OFFERED:
        here = {
            word
            for one in read(text, at=now()).asked.about(field)
            if not one.negated
            for word in one.patterns
        }
        for value in map(str, values):
            on = value in here
            said = without(text, field) if on else f"{without(text, field)} {field}:{value}".strip()
            found.append(Choice(field, value, on, f"{reverse('calls')}?{urlencode({'q': said})}"))
    return found
