"""Calls and their counters written in one transaction, for one request or for many that share it.

Order of the rows that are touched: contexts of spans, keys, tools, series, causes, calls, what was not counted yet, rollups, sketches,
ledger; within each by key. Flushes of several processes therefore wait for each other and never deadlock.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache

import orjson
from django.db import connection, transaction

from telemetry.contract import CallsAnswer
from telemetry.domain.buckets import minute_of
from telemetry.domain.ids import Ids
from telemetry.domain.tally import Counted, Tally
from telemetry.models import Call, Series
from telemetry.operations.counting import Counting, count, statements
from telemetry.operations.intake import Submission
from telemetry.operations.partitions import ensure_partition
from telemetry.operations.prepare import Prepared, failed_attempts
from telemetry.operations.rows import CallRow, CauseRow, LedgerRow, Store, StoredRow
from telemetry.operations.words import Words
from telemetry.vocabulary import Accounted

ids = Ids()
Key = tuple[int, str]


Copies = list[tuple[int, Prepared]]  # every report of one call in a flush, in order, as (submission, row)


@dataclass(slots=True)
class _Flush:
    """What one transaction adds up: the counters, what became of each submission's items, the rows to write."""

    counts: list[Counter[Accounted]]
    stored: list[int]  # per submission: the one fate that nearly every item has, without a Counter
    tally: Tally = field(default_factory=Tally)
    new: list[CallRow] = field(default_factory=list)
    changed: list[tuple[int, CallRow]] = field(default_factory=list)
    tools: dict[int, str] = field(default_factory=dict)
    failed: list[tuple[int, Prepared]] = field(default_factory=list)

    def take(self, key: Key, copies: Copies, call: int, rev: int | None) -> None:
        """Judge the copies of a call against what is stored of it; the last one that counts stays."""
        if rev is None and len(copies) == 1:
            place, row = copies[0]
            self.stored[place] += 1
            self._keep(call, row)
            self.new.append(row_of(call, row))
            return
        stays, known = None, rev
        for place, row in copies:
            fate = _fate(row.rev, known)
            self.counts[place][fate] += 1
            if fate is not Accounted.DUPLICATE:
                known, stays = row.rev, row
        if stays is not None:
            self._keep(call, stays)
            made = row_of(call, stays)
            self.new.append(made) if rev is None else self.changed.append((key[0], made))

    def _keep(self, call: int, row: Prepared) -> None:
        self.tally.add(row.counted)
        self.tools[row.counted.tool_id] = row.tool
        if row.counted.fingerprint:
            self.failed.append((call, row))


def _fate(rev: int, known: int | None) -> Accounted:
    if known is None:
        return Accounted.STORED
    return Accounted.CORRECTED if rev > known else Accounted.DUPLICATE


def store(
    submissions: Sequence[Submission], *, counting: Counting = count, words: Words | None = None
) -> list[CallsAnswer]:
    """Write everything or nothing, and answer each submission. Returns after the commit.

    `counting` adds to the counters now or later; `words` says which need not be written again.
    """
    at = max(submission.at for submission in submissions)
    ensure_partition(ids.next_at(at))
    words = words or Words()
    words.begin()
    with transaction.atomic(durable=True):
        counts = _write(submissions, counting, words, at=at)
    words.committed()
    return [_answer(one, fates) for one, fates in zip(submissions, counts, strict=True)]


def _answer(submission: Submission, fates: Counter[Accounted]) -> CallsAnswer:
    numbers = fates[Accounted.STORED], fates[Accounted.DUPLICATE], fates[Accounted.CORRECTED]
    if not submission.rejected:
        return _all_taken(*numbers)
    accepted, duplicate, corrected = numbers
    rejected = list(submission.rejected)
    return CallsAnswer(accepted=accepted, duplicate=duplicate, corrected=corrected, rejected=rejected)


@lru_cache(maxsize=1_024)
def _all_taken(accepted: int, duplicate: int, corrected: int) -> CallsAnswer:
    """Give the answer that nearly everybody gets; it is made and written once."""
    return CallsAnswer(accepted=accepted, duplicate=duplicate, corrected=corrected)


def _write(
    submissions: Sequence[Submission], counting: Counting, words: Words, *, at: datetime
) -> list[Counter[Accounted]]:
    calls: dict[Key, Copies] = {}
    for place, submission in enumerate(submissions):
        agent = submission.agent_id
        for row in submission.rows:
            key = (agent, row.call_id)
            if key in calls:
                calls[key].append((place, row))
            else:
                calls[key] = [(place, row)]
    flush = _Flush([Counter() for _ in submissions], [0] * len(submissions))
    with connection.cursor() as cursor:
        sql = statements(cursor)
        contexts = {row[:3]: row for submission in submissions for row in submission.contexts}
        if contexts:
            sql.contexts([contexts[key] for key in sorted(contexts)])
        if calls:
            _write_calls(sql, calls, flush, words, at=at)
        counting(sql, flush.tally, at=at)
        for fates, stored in zip(flush.counts, flush.stored, strict=True):
            if stored:
                fates[Accounted.STORED] += stored
        sql.account(_ledger(submissions, flush.counts, at=at))
        if keys := words.missing("key", {submission.key_id: None for submission in submissions}):
            sql.used(sorted(keys), at=at)
    return flush.counts


def _write_calls(sql: Store, calls: dict[Key, Copies], flush: _Flush, words: Words, *, at: datetime) -> None:
    made = ids.take(len(calls), at=at)  # in the order of arrival
    claims = [(*key, call, _highest(copies)) for call, (key, copies) in zip(made, calls.items(), strict=True)]
    claims.sort()  # in the order of the keys
    fresh = sql.claim(claims)
    known = [claim[:2] for claim in claims if claim[2] not in fresh]
    stored = sql.claimed(known) if known else {}
    for call, (key, copies) in zip(made, calls.items(), strict=True):
        flush.take(key, copies, *stored.get(key, (call, None)))
    _take_away(sql, [row.id for _, row in flush.changed], flush.tally)
    tools, series = words.missing("tool", flush.tools), words.missing("series", flush.tally.series())
    if tools or series:
        sql.known_words(tools, series, at=at)
    if causes := words.missing("cause", {row[0]: row for row in rows_of_causes(flush.failed, at=at)}):
        sql.known_causes(list(causes.values()))
    sql.insert(flush.new)  # by id: in the order of arrival
    if flush.changed:
        sql.replace(sorted(flush.changed))


def _highest(copies: Copies) -> int:
    return copies[0][1].rev if len(copies) == 1 else max(row.rev for _, row in copies)


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
    counted, call_id, rev, trace_id, _, started_at, detail, _ = said
    minute, duration, attempts, recovery, _, cause = counted[6:]
    series = counted.series
    return CallRow(
        call, series, call_id, rev, trace_id, minute, started_at, duration, attempts, recovery, cause, detail
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
    for submission, fates in zip(submissions, counts, strict=True):
        key = submission.key_id
        lines[key, minute, str(Accounted.RECEIVED), ""] += submission.received
        for word, n in fates.items():
            lines[key, minute, str(word), ""] += n
        for rejected in submission.rejected:
            lines[key, minute, str(Accounted.REJECTED), rejected.code[:40]] += 1
    return [(*line, lines[line]) for line in sorted(lines)]
