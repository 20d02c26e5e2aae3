"""One cause in full: how it was told apart, when it was seen, by whom and how often, and which calls show it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson

from telemetry.domain.buckets import Cut, cut
from telemetry.domain.fingerprints import OTHERS, Piece, Rule, pieces, rule_for, sentence
from telemetry.domain.search import Asked, Word
from telemetry.domain.tally import ALL_AGENTS
from telemetry.models import Call, CallKey, Fingerprint
from telemetry.queries import rollups
from telemetry.queries.agents import agent_names
from telemetry.queries.causes import is_new
from telemetry.queries.rules import BackfillRow, RuleRow, backfills, rules
from telemetry.queries.searches import search
from telemetry.queries.shapes import CallRow, CauseRow
from telemetry.vocabulary import FailureClass, Window

EXAMPLES = 8
AT_ONCE = 1_000  # traces asked about in one statement


@dataclass(frozen=True, slots=True)
class Grouping:
    """Why these failures are one: by a person's rule, or by what does not vary in an example of theirs."""

    rule: RuleRow | None
    is_rest: bool  # they are what was too much to tell apart
    example: tuple[Piece, ...]
    message: str  # as the example says it, for a rule that is to be made


@dataclass(frozen=True, slots=True)
class CausePage:
    """Everything the page of one cause says."""

    row: CauseRow
    window: Window
    starts: tuple[datetime, ...]
    points: tuple[int, ...]
    by_agent: tuple[tuple[str, int], ...]
    last_seen_at: datetime | None
    grouping: Grouping
    examples: tuple[CallRow, ...]
    backfills: tuple[BackfillRow, ...]


def cause_page(*, cause_id: str, window: Window, at: datetime) -> CausePage | None:
    """Give one cause in full, or None where there is none of that id."""
    stored = _stored(cause_id)
    if stored is None:
        return None
    period = cut(window, at=at)
    by_step = rollups.cause_steps(period, cause=stored.pk)
    points = [0] * period.steps
    by_agent: dict[int, int] = {}
    for agent_id, step, n in by_step:
        if agent_id == ALL_AGENTS:
            points[step] += n
        else:
            by_agent[agent_id] = by_agent.get(agent_id, 0) + n
    names = agent_names(set(by_agent))
    examples = search(Asked(words=(Word("cause", (cause_id,)),)), limit=EXAMPLES).rows
    return CausePage(
        row=_row(stored, sum(points), period),
        window=window,
        starts=period.starts(),
        points=tuple(points),
        by_agent=tuple(
            sorted(((names.get(one, ""), n) for one, n in by_agent.items() if n), key=lambda two: -two[1])
        ),
        last_seen_at=examples[0].received_at if examples else None,
        grouping=_grouping(stored, examples),
        examples=examples,
        backfills=backfills(tool=stored.tool.name),
    )


def traces_of_cause(*, cause_id: str, among: Sequence[str]) -> frozenset[str]:
    """Give those of some traces in which a call failed of one cause."""
    found: set[str] = set()
    for start in range(0, len(among), AT_ONCE):
        rows = Call.objects.filter(trace_id__in=among[start : start + AT_ONCE], fingerprint=int(cause_id, 16))
        found.update(rows.values_list("trace_id", flat=True))
    return frozenset(found)


def cause_of_call(*, agent_id: str, call_id: str) -> str:
    """Give the id of the cause that an agent's call failed of, blank where it is not known here, or met no failure."""
    if not agent_id.isdecimal() or not call_id:
        return ""
    keys = CallKey.objects.filter(agent_id=int(agent_id), call_id=call_id[:128])
    key = keys.values_list("call", flat=True).first()
    if key is None:
        return ""
    found = Call.objects.filter(pk=key, fingerprint__gt=0).values_list("fingerprint", flat=True).first()
    return f"{found:016x}" if found else ""


def _stored(cause_id: str) -> Fingerprint | None:
    try:
        number = int(cause_id, 16)
    except ValueError:
        return None
    if not 0 < number < 2**63:
        return None
    return Fingerprint.objects.select_related("tool").filter(pk=number).first()


def _row(stored: Fingerprint, n: int, period: Cut) -> CauseRow:
    return CauseRow(
        id=f"{stored.pk:016x}",
        tool=stored.tool.name,
        failure_class=FailureClass(stored.failure_class),
        code=stored.code,
        template=stored.template,
        n=n,
        first_seen_at=stored.first_seen_at,
        new=is_new(stored, since=period.starts()[0]),
    )


def _grouping(stored: Fingerprint, examples: tuple[CallRow, ...]) -> Grouping:
    """Explain by the newest call of it what was taken out of its message, or which rule put it here."""
    detail: Any = {}
    if examples:
        detail = orjson.loads(Call.objects.values_list("detail", flat=True).get(pk=examples[0].id))
    message, received = (sentence(detail), _received(detail)) if isinstance(detail, dict) else ("", "")
    made = rules()
    asked = [Rule(one.contains, one.title, one.tool, id=one.id) for one in made]
    holding = rule_for(stored.tool.name, message, asked)
    rule = next(
        (one for one in made if holding and one.id == holding.id and one.title == stored.template), None
    )
    return Grouping(rule, stored.template == OTHERS, pieces(message, received), message[:200])


def _received(detail: dict[str, Any]) -> str:
    """Give the value that was refused, as the agent or else the rules have it."""
    for told in (detail.get("failure"), detail.get("verdict")):
        if isinstance(told, dict) and isinstance(told.get("received"), str | int | float):
            return str(told["received"])
    return ""
