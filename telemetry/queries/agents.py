"""Reads about agents: who they are, their keys, and whether their books balance."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Sum

from telemetry.domain.buckets import minute_of, start_of
from telemetry.models import Agent, AgentKey, BreakerInstance, Ledger
from telemetry.queries.agent_shapes import AgentPage, AgentRow, Books, KeyRow, LedgerMinute
from telemetry.vocabulary import Accounted

DAY = timedelta(hours=24)
HOUR = timedelta(hours=1)
NOTHING = Books(0, 0, 0, 0, 0, ())


def agent_named(name: str) -> int | None:
    """Give the id of the agent of that name, or None."""
    return Agent.objects.filter(name=name).values_list("pk", flat=True).first()


def first_names(*, limit: int) -> tuple[str, ...]:
    """Give the names of agents as a field offers them, in their order, as many as it can hold."""
    return tuple(Agent.objects.order_by("name").values_list("name", flat=True)[:limit])


def agent_names(ids: Iterable[int]) -> dict[int, str]:
    """Give the names of agents by their ids."""
    return dict(Agent.objects.filter(pk__in=list(ids)).values_list("pk", "name"))


def keys_by_prefix(prefix_or_name: str) -> tuple[int, ...]:
    """Give the live keys of that prefix (with or without `sb_`), or of the agent of that name."""
    live = AgentKey.objects.filter(revoked_at__isnull=True)
    prefix = prefix_or_name.removeprefix("sb_").split("_")[0].rstrip("…")
    by_prefix = tuple(live.filter(prefix=prefix).values_list("pk", flat=True))
    return by_prefix or tuple(live.filter(agent__name=prefix_or_name).values_list("pk", flat=True))


def agents(*, at: datetime) -> tuple[AgentRow, ...]:
    """Give every agent with its keys and its books of the last 24 hours, by name."""
    rows = Agent.objects.prefetch_related("keys").order_by("name")
    books = _books_by_key(minute_of(at - DAY), minute_of(at) + 1)
    return tuple(_agent(row, books) for row in rows)


def agent_page(*, agent_id: int, at: datetime) -> AgentPage | None:
    """Give one agent with its books per minute of the last hour; None where there is none of that id."""
    row = Agent.objects.prefetch_related("keys").filter(pk=agent_id).first()
    if row is None:
        return None
    keys = [key.pk for key in row.keys.all()]
    books = _books_by_key(minute_of(at - DAY), minute_of(at) + 1, keys)
    instances = BreakerInstance.objects.filter(agent_id=agent_id).order_by("instance")
    end = minute_of(at) + 1
    told = _by_minute(keys, minute_of(at - DAY), end)
    return AgentPage(
        agent=_agent(row, books),
        minutes=tuple(_minute(minute, told) for minute in range(minute_of(at - HOUR) + 1, end)),
        ledger=tuple(_minute(minute, told) for minute in sorted(told, reverse=True)),
        instances=tuple(instances.values_list("instance", flat=True)),
    )


def books(*, agent_id: int, since: datetime, until: datetime) -> Books:
    """Give an agent's books between two moments, whole minutes."""
    keys = list(AgentKey.objects.filter(agent_id=agent_id).values_list("pk", flat=True))
    return _sum(_books_by_key(minute_of(since), minute_of(until) + 1, keys).values())


def _books_by_key(start: int, end: int, keys: list[int] | None = None) -> dict[int, Books]:
    lines = Ledger.objects.filter(minute__gte=start, minute__lt=end)
    if keys is not None:
        lines = lines.filter(key_id__in=keys)
    found: dict[int, list[tuple[str, str, int]]] = defaultdict(list)
    for key, what, reason, n in lines.values_list("key_id", "what", "reason").annotate(total=Sum("n")):
        found[key].append((what, reason, n))
    return {key: _book(entries) for key, entries in found.items()}


def _by_minute(keys: list[int], start: int, end: int) -> dict[int, Books]:
    lines = Ledger.objects.filter(key_id__in=keys, minute__gte=start, minute__lt=end)
    found: dict[int, list[tuple[str, str, int]]] = defaultdict(list)
    for minute, what, reason, n in lines.values_list("minute", "what", "reason").annotate(total=Sum("n")):
        found[minute].append((what, reason, n))
    return {minute: _book(entries) for minute, entries in found.items()}


def _minute(minute: int, told: dict[int, Books]) -> LedgerMinute:
    """Give a minute, a silent one too: a gap in the books would look like a lost minute."""
    return LedgerMinute(start_of(minute, 1), told.get(minute, NOTHING))


def _book(entries: Iterable[tuple[str, str, int]]) -> Books:
    sums: dict[str, int] = defaultdict(int)
    reasons: dict[str, int] = defaultdict(int)
    for what, reason, n in entries:
        sums[what] += n
        if what == Accounted.REJECTED:
            reasons[reason] += n
    return Books(
        received=sums[Accounted.RECEIVED],
        stored=sums[Accounted.STORED],
        corrected=sums[Accounted.CORRECTED],
        duplicate=sums[Accounted.DUPLICATE],
        rejected=sums[Accounted.REJECTED],
        reasons=tuple(sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))),
    )


def _sum(parts: Iterable[Books]) -> Books:
    entries: list[tuple[str, str, int]] = []
    for part in parts:
        entries += [
            (Accounted.RECEIVED, "", part.received),
            (Accounted.STORED, "", part.stored),
            (Accounted.CORRECTED, "", part.corrected),
            (Accounted.DUPLICATE, "", part.duplicate),
            *((Accounted.REJECTED, reason, n) for reason, n in part.reasons),
        ]
    return _book(entries)


def _agent(row: Agent, books_by_key: dict[int, Books]) -> AgentRow:
    keys = sorted(row.keys.all(), key=lambda key: key.made_at, reverse=True)
    used = [key.last_used_at for key in keys if key.last_used_at]
    return AgentRow(
        id=row.pk,
        name=row.name,
        owner_id=row.owner_id,
        made_at=row.made_at,
        last_seen_at=max(used, default=None),
        webhook_url=row.webhook_url,
        live_keys=sum(key.revoked_at is None for key in keys),
        books=_sum(books_by_key[key.pk] for key in keys if key.pk in books_by_key),
        keys=tuple(_key(key) for key in keys),
    )


def _key(key: AgentKey) -> KeyRow:
    return KeyRow(
        id=key.pk,
        shown=f"sb_{key.prefix}…",
        label=key.label,
        made_at=key.made_at,
        made_by=key.made_by,
        last_used_at=key.last_used_at,
        revoked_at=key.revoked_at,
        revoked_by=key.revoked_by,
    )
