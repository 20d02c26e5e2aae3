"""Calls that a search finds: narrowed by the words they are counted under, then by their own columns.

What stands in an index costs the page it fills. What does not (a duration, a text) is looked for in one stretch of
calls after another, newest first; the answer says how far it has looked, and its cursor goes on from there.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import orjson
from django.db.models import Model, Q, QuerySet

from console.kit.globs import Glob
from console.kit.paging import decode, encode
from console.kit.stars import too_many_stars
from telemetry.domain.ids import first_id, received_at
from telemetry.domain.search import Asked, Word
from telemetry.models import Agent, Call, CallKey, Series, Tool
from telemetry.queries.agents import agent_names
from telemetry.queries.calls import NEWEST, newest_of_series, rows_of_calls
from telemetry.queries.details import call_row, details_of
from telemetry.queries.shapes import CallRow
from telemetry.vocabulary import Outcome, RecoveredBy

STRETCH = 20_000  # calls looked at for one answer
NOBODY = -1
_SERIES = {"class": "failure_class", "code": "code", "outcome": "outcome", "recovered": "recovered_by"}
_BY_A_PERSON = Q(outcome=Outcome.ESCALATED) | Q(recovered_by=RecoveredBy.HUMAN)
_NAMES: dict[str, tuple[str, type[Model]]] = {"tool": ("tool_id", Tool), "agent": ("agent_id", Agent)}
_INDEXED = ("cause", "trace", "call")


@dataclass(frozen=True, slots=True)
class Found:
    """A page of calls. `looked_back_to` is set where more may be found further back than was looked."""

    rows: tuple[CallRow, ...]
    after: str | None = None
    looked_back_to: datetime | None = None


def search(asked: Asked, *, after: str | None = None, limit: int = 50) -> Found:
    """Give a page of the calls that a search asks for, newest first."""
    before = _within(asked.until, NEWEST)
    least = _within(asked.since, 0)
    if after:
        (cursor,) = decode(after, int)
        before = min(before, int(str(cursor)))
    series, own = _series(asked), _own(asked)
    rows = rows_of_calls().filter(pk__gte=least, pk__lt=before).order_by("-pk")
    floor = least
    if own is None and series is not None:
        rows = rows.filter(pk__in=newest_of_series(series.values_list("pk", flat=True), before, limit + 1))
    elif own is not None:
        if not asked.about(*_INDEXED):
            floor = max(least, _floor(least, before))
            rows = rows.filter(pk__gte=floor)
        rows = rows.filter(own) if series is None else rows.filter(own, series__in=series)
    found = list(rows[: limit + 1])
    return _found(found[:limit], more=len(found) > limit, floor=floor, least=least)


def _within(at: datetime | None, otherwise: int) -> int:
    """Give the first id of a moment, as far as ids reach."""
    return otherwise if at is None else min(max(first_id(at), 0), NEWEST)


def _found(rows: Sequence[Call], *, more: bool, floor: int, least: int) -> Found:
    agents = agent_names({row.series.agent_id for row in rows})
    shown = tuple(call_row(row, agents, details_of(row)) for row in rows)
    if more:
        return Found(shown, encode((rows[-1].pk,)))
    if floor > least:
        return Found(shown, encode((floor,)), received_at(floor))
    return Found(shown)


def _floor(least: int, before: int) -> int:
    """Give the call that ends the stretch to look at: by the primary key alone, so it costs little."""
    ids = Call.objects.filter(pk__gte=least, pk__lt=before).order_by("-pk").values_list("pk", flat=True)
    return next(iter(ids[STRETCH - 1 : STRETCH]), least)


def _series(asked: Asked) -> QuerySet[Series] | None:
    """Give the series that a search names, or None where it names none."""
    conditions = [_of_name(word) for word in asked.about(*_NAMES)]
    conditions += [_matches(word, _SERIES[word.field]) for word in asked.about(*_SERIES)]
    conditions += [~_BY_A_PERSON if word.negated else _BY_A_PERSON for word in asked.about("person")]
    if not conditions:
        return None
    return Series.objects.filter(*conditions, kind="o").exclude(agent_id=0)


def _of_name(word: Word) -> Q:
    """Look a name up among the few that there are, then ask for its id."""
    column, model = _NAMES[word.field]
    plain = Word(word.field, word.patterns, word.exact)
    ids = model._default_manager.filter(_matches(plain, "name")).values_list("pk", flat=True)  # noqa: SLF001  # its public name
    named = Q(**{f"{column}__in": list(ids)})
    return ~named if word.negated else named


def _matches(word: Word, column: str) -> Q:
    """Compare a column with values and patterns. Nothing (no class, nobody) matches no pattern, not even `*`."""
    condition = Q(**{f"{column}__in": word.values}) if word.values else Q(pk__in=[])
    for glob in word.globs:
        condition |= _like(column, glob)
    return ~condition if word.negated else condition


def _like(column: str, glob: str) -> Q:
    if not glob.strip("*"):
        return ~Q(**{column: ""})
    if too_many_stars(glob):
        return Q(pk__in=[])
    return Q(**{f"{column}__{Glob.lookup_name}": glob})


def _own(asked: Asked) -> Q | None:
    """Give the conditions on a call's own columns, or None where there are none."""
    conditions = [
        *(_id(word) for word in asked.about(*_INDEXED)),
        *(_between(one.field, one.low, one.high, negated=one.negated) for one in asked.numbers),
        *(_says(one.text, negated=one.negated) for one in asked.texts),
    ]
    return Q(*conditions) if conditions else None


def _id(word: Word) -> Q:
    if word.field == "trace":
        condition = Q(trace_id__in=word.values)
    elif word.field == "cause":
        condition = Q(fingerprint__in=[_number(text) for text in word.values])
    else:
        agents = Agent.objects.values("pk")
        keys = CallKey.objects.filter(agent_id__in=agents, call_id__in=word.values)
        condition = Q(pk__in=list(keys.values_list("call", flat=True)))
    return ~condition if word.negated else condition


def _number(text: str) -> int:
    """Give the id of a cause, or one that nothing has."""
    try:
        number = int(text, 16)
    except ValueError:
        return NOBODY
    return number if 0 < number <= NEWEST else NOBODY


def _between(field: str, low: float | None, high: float | None, *, negated: bool) -> Q:
    column, scale = ("duration_us", 1_000) if field == "ms" else ("attempts", 1)
    condition = Q()
    if low is not None:
        condition &= Q(**{f"{column}__gte": math.ceil(low * scale)})
    if high is not None:
        condition &= Q(**{f"{column}__lte": math.floor(high * scale)})
    return ~condition if negated else condition


def _says(text: str, *, negated: bool) -> Q:
    """Look for a text in what was reported, there spelled as JSON spells it, and in the name of the tool."""
    condition = Q(detail__icontains=orjson.dumps(text).decode()[1:-1]) | Q(series__tool__name__icontains=text)
    return ~condition if negated else condition
