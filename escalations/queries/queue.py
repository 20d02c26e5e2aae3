"""The queue: its views, its filter, and the counts beside them."""

import re
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from functools import reduce
from operator import and_
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from console.kit.globs import CaselessGlob
from console.kit.paging import Key, Page, decode, page_of
from console.kit.stars import too_many_stars
from escalations.domain import search as filters
from escalations.domain.lifecycle import UNDECIDED
from escalations.models import Case
from escalations.queries.shapes import QueueRow, RailCounts
from escalations.vocabulary import Decision, Execution, Severity, Trigger, View

COLUMNS = {
    "tool": "tool",
    "class": "failure_class",
    "code": "code",
    "agent": "agent_name",
    "trigger": "trigger",
    "severity": "severity",
    "trace": "trace_id",
    "queue": "queue",
    "cause": "fingerprint",
}
SOON = timedelta(minutes=15)
NEWEST_FIRST = frozenset({View.DONE})
BY_DECISION = frozenset({View.DONE, View.ATTENTION, View.UNREPORTED})
OPEN = tuple(sorted(UNDECIDED))


def queue(
    *,
    view: View,
    person_id: str,
    at: datetime,
    search: str = "",
    agent_id: str = "",
    after: str | None = None,
    limit: int = 50,
) -> Page[QueueRow]:
    """Give a page of a view: undecided by deadline, the others by decision. Two statements, however long."""
    rows = listed(view=view, person_id=person_id, at=at, search=search, agent_id=agent_id)
    rows = _ordered(rows, view, after)
    found = list(rows[: limit + 1])
    alike = same_cause(found)
    return page_of(
        [row_of(case, at=at, same_cause=alike.get(case.fingerprint, 0)) for case in found],
        limit=limit,
        key=_key_of(view),
    )


def of_trace(*, trace_id: str, at: datetime, limit: int = 20) -> tuple[QueueRow, ...]:
    """Give the cases that one trace led to, oldest first."""
    rows = Case.objects.filter(trace_id=trace_id).order_by("number")[:limit]
    return tuple(row_of(case, at=at, same_cause=0) for case in rows)


def listed(
    *, view: View | None, person_id: str, at: datetime, search: str = "", agent_id: str = ""
) -> QuerySet[Case]:
    """Give the cases of a view, or of all, unordered: list, counts and bulk see the same ones."""
    inside = _in_view(view, person_id, at) if view is not None else Q()
    rows = Case.objects.filter(inside, _matching(search, at))
    return rows.filter(agent_id=agent_id) if agent_id else rows


def rail_counts(*, person_id: str, at: datetime) -> RailCounts:
    """Count what each view lists; three statements, each on an index."""
    undecided = Case.objects.filter(decision__in=OPEN).aggregate(
        open=Count("id", filter=_in_view(View.OPEN, person_id, at)),
        unclaimed=Count("id", filter=_in_view(View.OPEN, person_id, at) & _unclaimed(at)),
        mine=Count("id", filter=_in_view(View.MINE, person_id, at)),
        snoozed=Count("id", filter=_in_view(View.SNOOZED, person_id, at)),
        due_soon=Count("id", filter=_in_view(View.OPEN, person_id, at) & Q(expires_at__lte=at + SOON)),
    )
    attention = Case.objects.filter(needs_attention=True).count()
    unreported = Case.objects.filter(_in_view(View.UNREPORTED, person_id, at)).count()
    return RailCounts(**undecided, attention=attention, unreported=unreported)


def open_counts(*, at: datetime) -> tuple[int, int]:
    """Count the open cases and those of them that nobody has, for the rail of every page; one statement."""
    awake = _in_view(View.OPEN, "", at)
    counted = Case.objects.filter(decision__in=OPEN).aggregate(
        open=Count("id", filter=awake), unclaimed=Count("id", filter=awake & _unclaimed(at))
    )
    return counted["open"], counted["unclaimed"]


def silent_count() -> int:
    """Count the decisions of which nothing was heard for too long."""
    return Case.objects.filter(needs_attention=True, execution=Execution.NO_REPORT).count()


def row_of(case: Case, *, at: datetime, same_cause: int) -> QueueRow:
    """Give one row; a lapsed claim is nobody's."""
    held = case.lease_until is not None and at < case.lease_until
    return QueueRow(
        id=case.pk,
        ref=str(case),
        title=case.title,
        tool=case.tool,
        failure_class=case.failure_class,
        code=case.code,
        agent_id=case.agent_id,
        agent_name=case.agent_name,
        trace_id=case.trace_id,
        trigger=Trigger(case.trigger),
        severity=Severity(case.severity),
        revision=case.revision,
        version=case.version,
        decision=Decision(case.decision),
        execution=Execution(case.execution),
        holder_id=case.holder_id if held else "",
        holder_name=case.holder_name if held else "",
        lease_until=case.lease_until if held else None,
        assignee_name=case.assignee_name,
        snoozed_until=case.snoozed_until,
        opened_at=case.opened_at,
        expires_at=case.expires_at,
        decided_at=case.decided_at,
        decided_by=case.decided_by,
        fingerprint=case.fingerprint,
        same_cause=same_cause,
        recommended=case.recommended,
        needs_attention=case.needs_attention,
    )


def _in_view(view: View, person_id: str, at: datetime) -> Q:
    undecided = Q(decision__in=OPEN)
    awake = Q(snoozed_until__isnull=True) | Q(snoozed_until__lte=at)
    match view:
        case View.OPEN:
            return undecided & awake
        case View.MINE:
            held = Q(holder_id=person_id, lease_until__gt=at)
            return undecided & (held | Q(assignee_id=person_id))
        case View.SNOOZED:
            return undecided & Q(snoozed_until__gt=at)
        case View.ATTENTION:
            return Q(needs_attention=True)
        case View.UNREPORTED:
            silent = Q(needs_attention=True, execution=Execution.NO_REPORT)
            return Q(report_due_at__isnull=False) | silent
        case View.DONE:
            return Q(decided_at__isnull=False, needs_attention=False)


def _unclaimed(at: datetime) -> Q:
    return Q(lease_until__isnull=True) | Q(lease_until__lte=at)


def _matching(text: str, at: datetime) -> Q:
    asked = filters.read(text)
    parts = [_named(name, value, at) for name, value in asked.named]
    parts += [_word(word) for word in asked.words]
    return reduce(and_, parts, Q())


def _named(name: str, value: str, at: datetime) -> Q:
    if name == "is":
        free = _unclaimed(at)
        return {"unclaimed": free, "claimed": ~free}.get(value.lower(), Q(pk__in=()))
    column = COLUMNS[name]
    if "*" not in value:
        return Q(**{f"{column}__iexact": value})
    if too_many_stars(value):
        return Q(pk__in=())
    return Q(**{f"{column}__{CaselessGlob.lookup_name}": value})


def _word(word: str) -> Q:
    by_number = Q(number=int(word[2:])) if re.fullmatch(r"[cC]-\d{1,18}", word) else Q(pk__in=())
    return by_number | Q(title__icontains=word) | Q(tool__icontains=word) | Q(agent_name__icontains=word)


def _ordered(rows: QuerySet[Case], view: View, after: str | None) -> QuerySet[Case]:
    column = "decided_at" if view in BY_DECISION else "expires_at"
    sign, beyond = ("-", "lt") if view in NEWEST_FIRST else ("", "gt")
    if after:
        when, last = decode(after, datetime.fromisoformat, UUID)
        further = Q(**{f"{column}__{beyond}": when}) | Q(**{column: when, f"id__{beyond}": last})
        rows = rows.filter(further)
    return rows.order_by(f"{sign}{column}", f"{sign}id")


def _key_of(view: View) -> Callable[[QueueRow], Key]:
    if view in BY_DECISION:
        return lambda row: (row.decided_at, row.id)
    return lambda row: (row.expires_at, row.id)


def same_cause(rows: Iterable[Case]) -> dict[str, int]:
    """Count the undecided cases of each cause that these rows have."""
    causes = {row.fingerprint for row in rows if row.fingerprint}
    alike = Case.objects.filter(fingerprint__in=causes, decision__in=OPEN).values("fingerprint")
    return {each["fingerprint"]: each["n"] for each in alike.annotate(n=Count("id")).order_by()}
