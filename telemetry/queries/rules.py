"""The rules that people made about causes and tools, what one would do, and how far back-fills have come."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

import orjson

from telemetry.domain.fingerprints import sentence
from telemetry.models import Backfill, Call, Fingerprint, FingerprintRule, Series, Tool
from telemetry.queries.calls import NEWEST, newest_of_series
from telemetry.vocabulary import FailureClass

LOOKED_AT = 2_000  # newest failures that a preview looks at
MOST = 200


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A person's word about failures whose message holds a text; without a class, theirs is as it was judged."""

    id: int
    tool: str
    contains: str
    title: str
    failure_class: FailureClass | None
    code: str
    made_at: datetime
    by: str


@dataclass(frozen=True, slots=True)
class ToolRule:
    """A person's word about a tool: whether "not found" is an empty answer of it."""

    tool: str
    not_found_is_empty: bool


@dataclass(frozen=True, slots=True)
class BackfillRow:
    """Stored failures being judged again, or that have been."""

    id: int
    tool: str
    why: str
    by: str
    made_at: datetime
    done_at: datetime | None
    seen: int
    changed: int


@dataclass(frozen=True, slots=True)
class Preview:
    """What a rule would take in, of the newest failures that were looked at: whole causes and parts of some."""

    looked_at: int
    matched: int
    causes: tuple["Taken", ...]


@dataclass(frozen=True, slots=True)
class Taken:
    """How much of one cause a rule would take."""

    id: str
    tool: str
    template: str
    taken: int
    seen: int


def rules() -> tuple[RuleRow, ...]:
    """Give the rules about causes, the newest first."""
    return tuple(
        RuleRow(
            row.pk,
            row.tool,
            row.contains,
            row.title,
            FailureClass(row.failure_class) if row.failure_class else None,
            row.code,
            row.made_at,
            row.made_by,
        )
        for row in FingerprintRule.objects.order_by("-made_at", "-pk")
    )


def tool_rules() -> tuple[ToolRule, ...]:
    """Give what people have said about tools."""
    said = Tool.objects.filter(not_found_is_empty__isnull=False).order_by("name")
    return tuple(ToolRule(name, bool(word)) for name, word in said.values_list("name", "not_found_is_empty"))


def backfills(*, tool: str = "", limit: int = 5) -> tuple[BackfillRow, ...]:
    """Give the newest back-fills, those of a tool and of all tools."""
    rows = Backfill.objects.filter(tool__in=["", tool]) if tool else Backfill.objects.all()
    words = ("pk", "tool", "why", "made_by", "made_at", "done_at", "seen", "changed")
    return tuple(BackfillRow(*row) for row in rows.order_by("-pk").values_list(*words)[:limit])


def preview_rule(*, contains: str, tool: str = "") -> Preview:
    """Say which of the newest failures a rule would take in."""
    series = Series.objects.filter(kind="o").exclude(agent_id=0).exclude(failure_class="")
    if tool:
        series = series.filter(tool__name=tool)
    newest = newest_of_series(series.values_list("pk", flat=True), NEWEST, LOOKED_AT)
    seen: Counter[int] = Counter()
    taken: Counter[int] = Counter()
    for cause, detail in Call.objects.filter(pk__in=newest).values_list("fingerprint", "detail").iterator():
        said = orjson.loads(detail)
        seen[cause] += 1
        taken[cause] += contains in sentence(said) if isinstance(said, dict) and contains else 0
    found = Fingerprint.objects.select_related("tool").filter(pk__in=[one for one, n in taken.items() if n])
    rows = [
        Taken(f"{one.pk:016x}", one.tool.name, one.template, taken[one.pk], seen[one.pk]) for one in found
    ]
    ordered = tuple(sorted(rows, key=lambda row: (-row.taken, row.id))[:MOST])
    return Preview(sum(seen.values()), sum(taken.values()), ordered)
