"""Calls and their counters written in one transaction, for one request or for many that share it.

Order of the rows that are touched: contexts of spans, tools, series, keys, calls, rollups, sketches, ledger; within each by key. Flushes
of several processes therefore wait for each other and never deadlock.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from operator import attrgetter

import orjson
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from telemetry import announce
from telemetry.contract import CallsAnswer
from telemetry.domain.buckets import minute_of
from telemetry.domain.ids import Ids
from telemetry.domain.tally import Counted, Tally
from telemetry.models import Call, Series
from telemetry.operations.intake import Submission
from telemetry.operations.partitions import ensure_partition
from telemetry.operations.postgres import PostgresStore
from telemetry.operations.prepare import Prepared, failed_attempts
from telemetry.operations.rows import CallRow, CauseRow, LedgerRow, Store, StoredRow
from telemetry.operations.sqlite import SqliteStore
from telemetry.vocabulary import Accounted

ids = Ids()
Key = tuple[int, str]


@dataclass(slots=True)
class _Copies:
    """Every report of one call in a flush, in order, as (submission, row)."""

    places: list[tuple[int, Prepared]] = field(default_factory=list)

    @property
    def newest(self) -> int:
        """Give the highest rev."""
        return max(row.rev for _, row in self.places)

    def judge(self, rev: int | None) -> tuple[list[Accounted], Prepared | None]:
        """Say what becomes of each against what is stored, and which one stays, if any."""
        said, stays = [], None
        for _, row in self.places:
            if rev is None:
                said.append(Accounted.STORED)
            elif row.rev > rev:
                said.append(Accounted.CORRECTED)
            else:
                said.append(Accounted.DUPLICATE)
                continue
            rev, stays = row.rev, row
        return said, stays


def statements(cursor: CursorWrapper) -> Store:
    """Give the statements of the database that is used."""
    return PostgresStore(cursor) if connection.vendor == "postgresql" else SqliteStore(cursor)


def store(submissions: Sequence[Submission]) -> list[CallsAnswer]:
    """Write everything or nothing, and answer each submission. Returns after the commit."""
    at = max(submission.at for submission in submissions)
    ensure_partition(ids.next_at(at))
    with transaction.atomic(durable=True):
        counts, changed = _write(submissions, at=at)
        if changed:
            announce.calls_on_commit(at=at)
    return [_answer(one, count) for one, count in zip(submissions, counts, strict=True)]


def _answer(submission: Submission, count: Counter[Accounted]) -> CallsAnswer:
    return CallsAnswer(
        accepted=count[Accounted.STORED],
        duplicate=count[Accounted.DUPLICATE],
        corrected=count[Accounted.CORRECTED],
        rejected=list(submission.rejected),
    )


def _write(submissions: Sequence[Submission], *, at: datetime) -> tuple[list[Counter[Accounted]], bool]:
    copies: dict[Key, _Copies] = {}
    for place, submission in enumerate(submissions):
        for row in submission.rows:
            copies.setdefault((submission.agent_id, row.call_id), _Copies()).places.append((place, row))
    counts: list[Counter[Accounted]] = [Counter() for _ in submissions]
    tally = Tally()
    with connection.cursor() as cursor:
        sql = statements(cursor)
        contexts = {row[:3]: row for submission in submissions for row in submission.contexts}
        if contexts:
            sql.contexts([contexts[key] for key in sorted(contexts)])
        if copies:
            _write_calls(sql, copies, counts, tally, at=at)
        sql.account(_ledger(submissions, counts, at=at), at=at)
    return counts, bool(tally.sums)


def _write_calls(
    sql: Store, copies: dict[Key, _Copies], counts: list[Counter[Accounted]], tally: Tally, *, at: datetime
) -> None:
    keys = sorted(copies)
    calls = dict(zip(copies, ids.take(len(keys), at=at), strict=True))  # ids in the order of arrival
    fresh = sql.claim([(*key, calls[key], copies[key].newest) for key in keys])
    known = [key for key in keys if calls[key] not in fresh]
    stored = sql.claimed(known) if known else {}
    new: list[CallRow] = []
    changed: list[tuple[int, CallRow]] = []
    tools: dict[int, str] = {}
    stays_of: list[tuple[int, Prepared]] = []
    for key in keys:
        call, rev = stored.get(key, (calls[key], None))
        said, stays = copies[key].judge(rev)
        for (place, _), word in zip(copies[key].places, said, strict=True):
            counts[place][word] += 1
        if stays is not None:
            tally.add(stays.counted)
            tools[stays.counted.tool_id] = stays.tool
            stays_of.append((call, stays))
            row = row_of(call, stays)
            new.append(row) if rev is None else changed.append((key[0], row))
    _take_away(sql, [row.id for _, row in changed], tally)
    sql.known_words(tools, tally.series(), at=at)
    if causes := rows_of_causes(stays_of, at=at):
        sql.known_causes(causes)
    sql.insert(sorted(new, key=attrgetter("id")))
    if changed:
        sql.replace(changed)
    sql.roll_up(tally.rollups())
    sql.sketch(tally.sketches())


def _take_away(sql: Store, calls: Sequence[int], tally: Tally) -> None:
    """Take what the corrected calls were counted as out of the counters."""
    if calls:
        for row in sql.stored(calls).values():
            tally.add(_counted(row), -1)


def counted_as(series: Series, call: Call) -> Counted:
    """Say what a stored call was counted as, for whoever takes it out of the counters or counts again."""
    words = (series.kind, series.agent_id, series.tool_id, series.failure_class, series.code)
    amounts = (call.bucket, call.duration_us, call.attempts, call.recovery_us, call.fingerprint, call.detail)
    return _counted(StoredRow(call.pk, (*words, series.outcome, series.recovered_by), *amounts))


def _counted(row: StoredRow) -> Counted:
    _, agent_id, tool_id, failure_class, code, outcome, recovered_by = row.words
    return Counted(
        agent_id=agent_id,
        tool_id=tool_id,
        failure_class=failure_class,
        code=code,
        outcome=outcome,
        recovered_by=recovered_by,
        minute=row.bucket,
        duration_us=row.duration_us,
        attempts=row.attempts,
        recovery_us=row.recovery_us,
        failed_attempts=failed_attempts(orjson.loads(row.detail)),
        fingerprint=row.fingerprint,
    )


def row_of(call: int, said: Prepared) -> CallRow:
    """Give the columns of a call."""
    counted = said.counted
    return CallRow(
        id=call,
        series=counted.series,
        call_id=said.call_id,
        rev=said.rev,
        trace_id=said.trace_id,
        bucket=counted.minute,
        started_at=said.started_at,
        duration_us=counted.duration_us,
        attempts=counted.attempts,
        recovery_us=counted.recovery_us,
        fingerprint=counted.fingerprint,
        detail=said.detail,
    )


def rows_of_causes(calls: Iterable[tuple[int, Prepared]], *, at: datetime) -> list[CauseRow]:
    """Give the fingerprints of calls, each with the first of them, in the order of their ids."""
    causes: dict[int, CauseRow] = {}
    for call, said in calls:
        counted = said.counted
        words = (counted.failure_class, counted.code, said.template)
        if counted.fingerprint:
            causes.setdefault(counted.fingerprint, (counted.fingerprint, counted.tool_id, *words, at, call))
    return [causes[one] for one in sorted(causes)]


def _ledger(
    submissions: Sequence[Submission], counts: Sequence[Counter[Accounted]], *, at: datetime
) -> list[LedgerRow]:
    """Account for every item: what was received, and what became of it."""
    lines: Counter[tuple[int, int, str, str]] = Counter()
    minute = minute_of(at)
    for submission, count in zip(submissions, counts, strict=True):
        key = submission.key_id
        lines[key, minute, str(Accounted.RECEIVED), ""] += submission.received
        for word, n in count.items():
            lines[key, minute, str(word), ""] += n
        for rejected in submission.rejected:
            lines[key, minute, str(Accounted.REJECTED), rejected.code[:40]] += 1
    return [(*line, lines[line]) for line in sorted(lines)]
