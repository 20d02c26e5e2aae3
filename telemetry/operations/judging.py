"""Calls judged again: by a person who knows better, and by rules that have learned. Counters follow exactly."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson
from django.db import connection, transaction
from pydantic import ValidationError

from console.audit.operations import record
from console.kit.actor import Actor
from console.kit.refusal import FieldError, Kind, Refused
from telemetry import announce
from telemetry.contract import Call as Reported
from telemetry.domain.fingerprints import Rule
from telemetry.domain.ids import received_at
from telemetry.domain.tally import Tally
from telemetry.models import Call, CallKey
from telemetry.operations.causes import cause_of
from telemetry.operations.counting import count, statements
from telemetry.operations.known import what_is_known
from telemetry.operations.prepare import Knowledge, Prepared, prepare
from telemetry.operations.store import counted_as, row_of, rows_of_causes
from telemetry.vocabulary import ClassSource, FailureClass, Outcome

CHUNK = 200
_READ = tuple(field.attname for field in Call._meta.concrete_fields)  # noqa: SLF001  # its public name
_CODE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


class NoSuchCall(Refused):
    """There is no call of that id."""

    kind, code = Kind.MISSING, "NO_SUCH_CALL"


class BadLabel(Refused):
    """A code that is not UPPER_SNAKE, or a call that met no failure."""

    kind, code = Kind.INVALID, "BAD_LABEL"


@dataclass(frozen=True, slots=True)
class Backfill:
    """How far a back-fill has come: calls looked at, calls changed, and where to go on; None at the end."""

    seen: int
    changed: int
    after: int | None


@dataclass(frozen=True, slots=True)
class Judged:
    """Calls that are judged differently now: as they were read, and as what; and what was known as they were judged."""

    knowledge: Knowledge
    found: tuple[tuple[Call, Prepared], ...]


@transaction.atomic(durable=True)
def relabel_call(*, call_id: int, failure_class: FailureClass, code: str, by: Actor, at: datetime) -> None:
    """Say what a failure really was. `call_id` is the row's id. The rules will not judge this call again."""
    row = _locked([call_id]).get(call_id)
    if row is None:
        raise NoSuchCall("There is no such call.")
    if not row.series.failure_class or not is_code(code):
        wrong = FieldError(
            "LABEL", "code", "UPPER_SNAKE, at most 64 characters, for a call that failed", code[:80]
        )
        raise BadLabel("This call cannot have this label.", errors=(wrong,))
    before = {"class": row.series.failure_class, "code": row.series.code}
    after: dict[str, object] = {"class": str(failure_class), "code": code}
    told = {"source": ClassSource.PERSON, "by": by.name[:160], "at": at.isoformat(), **after}
    _replace([(row, _labelled(row, told, what_is_known().rules))], at=at)
    record(
        subject=f"call:{call_id}",
        verb="relabelled",
        actor=by,
        at=at,
        before=before,
        after=after,
        detail=after,
    )
    announce.calls_on_commit(at=at)


def judge_again(*, after: int = 0, tool: str = "", since: int = 0, at: datetime) -> Backfill:
    """Let today's rules judge a chunk of stored calls again; a person's word about a call stands."""
    ids = Call.objects.filter(pk__gt=max(after, since)).order_by("pk")
    if tool:
        ids = ids.filter(series__tool__name=tool)
    wanted = list(ids.values_list("pk", flat=True)[:CHUNK])
    judged = judge(wanted)
    with transaction.atomic(durable=True):
        changed = write_down(judged, at=at)
    return Backfill(len(wanted), changed, wanted[-1] if len(wanted) == CHUNK else None)


def is_code(code: str) -> bool:
    """Say whether this may be a failure's code; none at all may."""
    return len(code) <= 64 and set(code) <= _CODE


def judge(ids: Sequence[int]) -> Judged:
    """Judge some stored calls again, outside of any transaction: whoever writes meanwhile is not kept waiting."""
    knowledge = what_is_known()
    rows = Call.objects.select_related("series", "series__tool").filter(pk__in=ids).order_by("pk")
    found = [(row, new) for row in rows if (new := _again(row, knowledge)) is not None]
    return Judged(knowledge, tuple(found))


def write_down(judged: Judged, *, at: datetime) -> int:
    """Write what calls are judged as, inside a transaction; one that has changed since is judged by what it says now.

    Give how many have changed.
    """
    rows = _locked([row.pk for row, _ in judged.found])
    pairs = []
    for before, new in judged.found:
        row = rows.get(before.pk)
        if row is not None:
            same = all(getattr(row, name) == getattr(before, name) for name in _READ)
            pairs.append((row, new if same else _again(row, judged.knowledge)))
    changed = [(row, new) for row, new in pairs if new is not None]
    _replace(changed, at=at)
    if changed:
        announce.calls_on_commit(at=at)
    return len(changed)


def _locked(ids: Sequence[int]) -> dict[int, Call]:
    """Load calls for writing: first their keys, in the order that reports lock them in, then the rows.

    A report that corrects one of them has its key from before it reads what is to be taken out of the counters.
    """
    wanted = Call.objects.filter(pk__in=ids)
    keys = sorted(wanted.values_list("series__agent_id", "call_id"))
    if keys:
        list(CallKey.objects.select_for_update().filter(pk__in=keys).order_by("agent_id", "call_id"))
    rows = wanted.select_related("series", "series__tool").order_by("pk")
    return {row.pk: row for row in rows.select_for_update(of=("self",))}


def _again(row: Call, knowledge: Knowledge) -> Prepared | None:
    """Give a call as it is judged today, or None where nothing changes. A label of a person is kept, its cause is not."""
    detail = orjson.loads(row.detail)
    verdict = detail.get("verdict", {})
    by_person = verdict.get("source") == ClassSource.PERSON
    made = None if by_person else _prepared(row, detail, knowledge)
    if made is None and row.series.failure_class:
        made = _labelled(row, verdict, knowledge.rules)
    if made is None:
        return None
    known, found = counted_as(row.series, row), made.counted
    same = found._replace(minute=known.minute, duration_us=known.duration_us, attempts=known.attempts)
    return None if same == known else made._replace(counted=same)


def _prepared(row: Call, detail: dict[str, Any], knowledge: Knowledge) -> Prepared | None:
    raw = {name: value for name, value in detail.items() if name not in {"verdict", "flags"}}
    raw |= {"call_id": row.call_id, "rev": row.rev, "trace_id": row.trace_id, "tool": row.series.tool.name}
    raw |= {"started_at": row.started_at.isoformat(), "duration_ms": row.duration_us / 1000}
    try:
        said = Reported.model_validate_json(orjson.dumps(raw))
    except ValidationError:  # a part of it was cut away when it was stored: what was said then stands
        return None
    flags = set(detail.get("flags", ()))
    arrived = received_at(row.pk)
    return prepare(said, raw, agent_id=row.series.agent_id, at=arrived, flags=flags, knowledge=knowledge)


def _labelled(row: Call, told: dict[str, Any], rules: Sequence[Rule]) -> Prepared:
    """Give a call with this verdict, whose class and code stand where it names none, and the cause that follows."""
    detail = orjson.loads(row.detail)
    detail["verdict"] = {**detail.get("verdict", {}), **told}
    name = str(told.get("class") or row.series.failure_class)
    code = row.series.code if told.get("code") is None else str(told["code"])
    cause = cause_of(row.series.tool.name, name, code, detail, rules)
    counted = counted_as(row.series, row)._replace(
        failure_class=name,
        code=code,
        fingerprint=cause.id,
        outcome=str(row.series.outcome or Outcome.FAILED),
    )
    columns = (row.call_id, row.rev, row.trace_id, row.series.tool.name, row.started_at)
    return Prepared(counted, *columns, orjson.dumps(detail), cause.template)


def _replace(pairs: Iterable[tuple[Call, Prepared]], *, at: datetime) -> None:
    """Overwrite rows with what they are judged as now; the counters lose the old and gain the new."""
    changed = list(pairs)
    if not changed:
        return
    tally = Tally()
    for row, new in changed:
        tally.add(counted_as(row.series, row), -1)
        tally.add(new.counted)
    with connection.cursor() as cursor:
        sql = statements(cursor)
        sql.known_words({new.counted.tool_id: new.tool for _, new in changed}, tally.series(), at=at)
        if causes := rows_of_causes([(row.pk, new) for row, new in changed], at=at):
            sql.known_causes(causes)
        sql.replace([(row.series.agent_id, row_of(row.pk, new)) for row, new in changed])
        count(sql, tally, at=at)
