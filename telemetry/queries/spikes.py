"""Spikes with what explains them, mutes, and the deploys beside them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from console.kit.paging import Page, decode, page_of
from telemetry.models import Marker, Mute, Spike, Tool, Watch
from telemetry.vocabulary import Advice, BreakerState, FailureClass, Outcome, SpikeKind

ADVICE = {
    FailureClass.INVALID_ARGS: Advice.PROMPT_OR_SCHEMA,
    FailureClass.TRANSIENT: Advice.DEPENDENCY,
    FailureClass.EMPTY: Advice.QUERIES,
    FailureClass.HARD: Advice.INCIDENT,
    FailureClass.PARTIAL: Advice.DEPENDENCY,
    FailureClass.UNKNOWN_OUTCOME: Advice.RECONCILE,
    FailureClass.INTERNAL: Advice.TOOL_CODE,
}
MOST = 100


@dataclass(frozen=True, slots=True)
class SpikeCause:
    """One cause beside a spike."""

    id: str
    code: str
    template: str
    n: int


@dataclass(frozen=True, slots=True)
class DeployRow:
    """One deploy."""

    id: int
    at: datetime
    name: str
    version: str
    url: str
    tool: str
    by: str


@dataclass(frozen=True, slots=True)
class MuteRow:
    """Silence over a tool, a class or both, until a moment; empty text means any."""

    id: int
    tool: str
    subject: str
    until: datetime
    reason: str
    made_at: datetime
    by: str


@dataclass(frozen=True, slots=True)
class SpikeRow:
    """One spike as it opened. For a new cause there is no test: `observed` is 1 and nothing was expected."""

    id: int
    kind: SpikeKind
    tool: str  # empty where it is about all tools
    failure_class: FailureClass | None  # None where it is about calls that need people
    advice: Advice
    opened_at: datetime
    closed_at: datetime | None
    observed: int
    calls: int
    expected: float
    ratio: float | None
    probability: float | None
    window_min: int | None
    baseline_min: int | None  # minutes of traffic that taught what is usual
    causes: tuple[SpikeCause, ...]
    agents: tuple[tuple[str, int], ...]
    breakers: tuple[tuple[str, BreakerState], ...]
    deploy: DeployRow | None  # the last one of the day before it opened
    acknowledged_at: datetime | None
    acknowledged_by: str
    muted: bool

    @property
    def subject(self) -> str:
        """Give the word it is muted and counted by: its class, or `person`."""
        return self.failure_class or SpikeKind.PERSON

    @property
    def usual(self) -> float | None:
        """Give the share of calls that was usual as it opened; it stays so while it is open."""
        return self.expected / self.calls if self.kind is not SpikeKind.NEW and self.calls else None

    @property
    def is_open(self) -> bool:
        """Say whether it is still so."""
        return self.closed_at is None

    @property
    def outcome(self) -> Outcome | None:
        """Give how its calls ended, where that is what it is about."""
        return Outcome.ESCALATED if self.kind is SpikeKind.PERSON else None

    @property
    def seen_since(self) -> datetime:
        """Give the beginning of the window in which it was seen."""
        return self.opened_at - timedelta(minutes=self.window_min or 0)


def spikes(
    *, at: datetime, since: datetime | None = None, tool: str = "", only_open: bool = False, limit: int = MOST
) -> tuple[SpikeRow, ...]:
    """Give open spikes and those that were open after `since` (a day ago), open ones and newest first."""
    rows = Spike.objects.all()
    if only_open:
        rows = rows.filter(closed_at__isnull=True)
    else:
        rows = rows.filter(Q(closed_at__isnull=True) | Q(closed_at__gte=since or at - timedelta(days=1)))
    if tool:
        rows = rows.filter(tool_id__in=Tool.objects.filter(name=tool).values("pk"))
    found = sorted(rows.order_by("-opened_at", "-pk")[:limit], key=lambda row: row.closed_at is not None)
    return _rows(found, at)


def closed_spikes(*, at: datetime, after: str | None = None, limit: int = 50) -> Page[SpikeRow]:
    """Give a page of what is over, newest first."""
    rows = Spike.objects.filter(closed_at__isnull=False).order_by("-closed_at", "-pk")
    if after:
        moment, pk = decode(after, datetime.fromisoformat, int)
        rows = rows.filter(Q(closed_at__lt=moment) | Q(closed_at=moment, pk__lt=pk))
    found = _rows(rows[: limit + 1], at)
    return page_of(found, limit=limit, key=lambda row: (row.closed_at, row.id))


def spike(*, spike_id: int, at: datetime) -> SpikeRow | None:
    """Give one spike, or None."""
    found = _rows(Spike.objects.filter(pk=spike_id), at)
    return found[0] if found else None


def open_spike_count() -> int:
    """Count what is rising now, for the rail of every page."""
    return Spike.objects.filter(closed_at__isnull=True).exclude(kind=SpikeKind.NEW).count()


def watched_count() -> int:
    """Count the rates that are watched: one for each class of each tool that has ever failed in it."""
    return Watch.objects.count()


def deploys(*, since: datetime, until: datetime, limit: int = MOST) -> tuple[DeployRow, ...]:
    """Give the deploys between two moments, newest first."""
    rows = Marker.objects.filter(at__gte=since, at__lt=until).order_by("-at", "-pk")[:limit]
    return tuple(
        DeployRow(row.pk, row.at, row.name, row.version, row.url, row.tool, row.made_by) for row in rows
    )


def mutes(*, at: datetime) -> tuple[MuteRow, ...]:
    """Give the mutes in force, the one that ends first first."""
    live = Mute.objects.filter(until__gt=at).order_by("until", "pk")
    words = ("pk", "tool", "subject", "until", "reason", "made_at", "made_by")
    return tuple(MuteRow(*row) for row in live.values_list(*words))


def _rows(found: Iterable[Spike], at: datetime) -> tuple[SpikeRow, ...]:
    rows = list(found)
    names = dict(Tool.objects.filter(pk__in={row.tool_id for row in rows}).values_list("pk", "name"))
    quiet = mutes(at=at) if rows else ()
    return tuple(_row(row, names.get(row.tool_id, ""), quiet) for row in rows)


def _row(row: Spike, tool: str, quiet: tuple[MuteRow, ...]) -> SpikeRow:
    test, told = row.test, row.explanation
    name = None if row.kind == SpikeKind.PERSON else FailureClass(row.subject)
    deploy = told.get("deploy")
    return SpikeRow(
        id=row.pk,
        kind=SpikeKind(row.kind),
        tool=tool,
        failure_class=name,
        advice=Advice.PEOPLE if name is None else ADVICE[name],
        opened_at=row.opened_at,
        closed_at=row.closed_at,
        observed=test.get("observed", 1),
        calls=test.get("calls", 1),
        expected=test.get("expected", 0.0),
        ratio=test.get("ratio"),
        probability=test.get("probability"),
        window_min=test.get("window"),
        baseline_min=test.get("age"),
        causes=tuple(SpikeCause(**cause) for cause in told.get("causes", ())),
        agents=tuple((agent["name"], agent["n"]) for agent in told.get("agents", ())),
        breakers=tuple((one["name"], BreakerState(one["state"])) for one in told.get("breakers", ())),
        deploy=_deploy(deploy) if deploy else None,
        acknowledged_at=row.acknowledged_at,
        acknowledged_by=row.acknowledged_by,
        muted=any(one.tool in {"", tool} and one.subject in {"", row.subject} for one in quiet),
    )


def _deploy(told: dict[str, str]) -> DeployRow:
    at = datetime.fromisoformat(told["at"])
    return DeployRow(
        int(told["id"]), at, told["name"], told["version"], told["url"], told["tool"], told["by"]
    )
