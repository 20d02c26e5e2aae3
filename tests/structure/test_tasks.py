"""Where a task runs and how often is said once, in console/celery.py, for every task there is."""

import re
from pathlib import Path

from console.celery import ROUTES, SCHEDULE, app

ROOT = Path(__file__).parents[2]


def ours():
    app.loader.import_default_modules()
    return {name for name in app.tasks if not name.startswith("celery.")}


def test_the_routes_name_every_task_of_ours_and_nothing_else():
    assert set(ROUTES) == ours()


def test_the_schedule_names_only_tasks_of_ours():
    assert ours() >= {entry["task"] for entry in SCHEDULE.values()}


def test_no_time_lives_only_in_the_broker():
    sources = [
        path for room in ("console", "escalations", "telemetry") for path in (ROOT / room).rglob("*.py")
    ]
    assert sources
    assert [
        str(path) for path in sources if re.search(r"\b(eta|countdown)=", path.read_text(encoding="utf-8"))
    ] == []
