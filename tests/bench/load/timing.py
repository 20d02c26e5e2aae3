"""Times every query behind a page, and the pages whole, on the store that this process's settings name.

In a process of its own, which `bench dashboards` starts with the database in its environment and Django set up.
"""

import argparse
import statistics
import sys
import time
from datetime import timedelta

from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import connection
from django.test import Client

from console.serving.preparation import collect_static
from telemetry import queries as facts
from telemetry.domain.buckets import minute_of
from telemetry.domain.search import read
from telemetry.models import Agent
from telemetry.queries.watching import recent
from telemetry.vocabulary import Window
from tests.bench.load import history

EARLY_HOURS = 48
WARM = 7
SEARCHES = ("", "class:*", "class:hard tool:tool.3", "agent:agent-1 outcome:escalated", "code:RATE_LIMITED")
PAGES = (
    "/",
    "/?window=7d",
    "/tools/",
    "/tools/tool.3/",
    "/calls/",
    "/causes/",
    "/spikes/",
    "/agents/",
    "/breakers/",
)


def queries(at, trace):
    """Name every query behind a page."""
    agent = Agent.objects.get(name="agent-1").pk
    found = {}
    for window in Window:
        found[f"overview {window}"] = lambda window=window: facts.overview(window=window, at=at)
        found[f"tools {window}"] = lambda window=window: facts.tools(window=window, at=at)
        found[f"tool {window}"] = lambda window=window: facts.tool_page(name="tool.3", window=window, at=at)
        found[f"causes {window}"] = lambda window=window: facts.causes(window=window, at=at)
    found["overview of one agent"] = lambda: facts.overview(window=Window.DAY, at=at, agent_id=agent)
    for text in SEARCHES:
        asked = read(text, at=at).asked
        found[f"calls {text or '(all)'}"] = lambda asked=asked: facts.search(asked, limit=60)
    found["trace"] = lambda: facts.trace(trace_id=trace)
    found["agents"] = lambda: facts.agents(at=at)
    found["agent"] = lambda: facts.agent_page(agent_id=agent, at=at)
    found["breakers"] = lambda: facts.board(at=at)
    found["metrics"] = lambda: list(facts.metrics(at=at))
    found["the watch over spikes"] = lambda: recent(minute_of(at))
    return found


def pages():
    """Name the pages that are timed whole: signing in, query, template and all."""
    person = get_user_model().objects.filter(username="bench").first()
    client = Client()
    client.force_login(person or get_user_model().objects.create_superuser("bench"))
    return {f"page {path}": lambda path=path: fine(client.get(path)) for path in PAGES}


def fine(answer):
    """Refuse to time an error."""
    if answer.status_code != 200:
        raise SystemExit(f"{answer.status_code} for {answer.request['PATH_INFO']}")


def timed(query):
    """Give (cold, warm, processor) in milliseconds."""
    connection.close()
    connection.ensure_connection()
    walls, cpus = [], []
    for _ in range(WARM + 1):
        wall, cpu = time.perf_counter(), time.thread_time()
        query()
        cpus.append((time.thread_time() - cpu) * 1e3)
        walls.append((time.perf_counter() - wall) * 1e3)
    return walls[0], statistics.median(walls[1:]), statistics.median(cpus[1:])


def all_timed(at, trace):
    return {name: timed(query) for name, query in {**queries(at, trace), **pages()}.items()}


def told(early, late, within):
    """Print both moments; give the names of the queries that took too long."""
    print(f"{'milliseconds':40} {'two days stored':>23} {'all stored':>26}")
    print(f"{'':40} {'cold    warm     cpu':>23} {'cold    warm     cpu':>26}")
    slow = []
    for name, now in late.items():
        numbers = ["".join(f"{one:8.1f}" for one in each) for each in (early[name], now)]
        over = now[1] > within and not name.startswith("page")
        slow += [name] if over else []
        print(f"{name:40} {numbers[0]}   {numbers[1]}{'  over' if over else ''}")
    return slow


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", type=int)
    parser.add_argument("--days", type=int)
    parser.add_argument("--within", type=float)
    asked = parser.parse_args()
    call_command("migrate", verbosity=0)
    collect_static(print)
    if connection.vendor == "sqlite":
        connection.cursor().execute("PRAGMA synchronous=OFF")  # while it is filled; reading does not care
    at = history.now()
    stored = history.History(calls=asked.calls, hours=asked.days * 24, at=at)
    stored.fill(range(min(EARLY_HOURS, stored.hours)), print)
    analyse()
    early = all_timed(at - timedelta(minutes=1), stored.trace())
    stored.fill(range(EARLY_HOURS, stored.hours), print)
    analyse()
    slow = told(early, all_timed(at - timedelta(minutes=1), stored.trace()), asked.within)
    print(
        f"{asked.calls:,} calls over {asked.days} days; over {asked.within:g} ms: {', '.join(slow) or 'none'}"
    )
    sys.exit(1 if slow else 0)


def analyse():
    """Let the database know its tables, as autovacuum does while it runs."""
    if connection.vendor == "postgresql":
        connection.cursor().execute("VACUUM ANALYZE")
