"""Tasks: where each one runs and how often, as two tables. Everything else about them is in the apps."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

from celery import Celery
from django.conf import settings
from kombu import Queue

SWEEPS = "sweeps"

ROUTES: dict[str, dict[str, str]] = {
    "escalations.decide_by_policy": {"queue": SWEEPS},
    "escalations.expire_overdue": {"queue": SWEEPS},
    "escalations.follow_chains": {"queue": SWEEPS},
    "escalations.free_lapsed_claims": {"queue": SWEEPS},
    "escalations.notice_silence": {"queue": SWEEPS},
    "escalations.post_chains": {"queue": "posts"},
    "escalations.post_decisions": {"queue": "posts"},  # apart: a slow receiver must not hold up a sweep
    "notices.deliver": {"queue": "notices"},  # the same
    "notices.forget": {"queue": SWEEPS},
    "telemetry.backfill": {"queue": SWEEPS},
    "telemetry.end_commands": {"queue": SWEEPS},
    "telemetry.forget": {"queue": SWEEPS},
    "telemetry.notice_silence": {"queue": SWEEPS},
    "telemetry.watch": {"queue": SWEEPS},
}
SCHEDULE: dict[str, dict[str, object]] = {
    "close what is overdue": {"task": "escalations.expire_overdue", "schedule": 1.0},
    "decide by policy": {"task": "escalations.decide_by_policy", "schedule": 1.0},
    "follow chains": {"task": "escalations.follow_chains", "schedule": 2.0},
    "free lapsed claims": {"task": "escalations.free_lapsed_claims", "schedule": 2.0},
    "post decisions to webhooks": {"task": "escalations.post_decisions", "schedule": 1.0},
    "deliver notices": {"task": "notices.deliver", "schedule": 1.0},
    "post messages of chains": {"task": "escalations.post_chains", "schedule": 2.0},
    "notice silence": {"task": "escalations.notice_silence", "schedule": 5.0},
    "end commands to breakers": {"task": "telemetry.end_commands", "schedule": 2.0},
    "notice silent instances": {"task": "telemetry.notice_silence", "schedule": 5.0},
    "judge again what people spoke of": {"task": "telemetry.backfill", "schedule": 1.0},
    "watch for spikes": {"task": "telemetry.watch", "schedule": 5.0},
    "forget old notices": {"task": "notices.forget", "schedule": 3600.0},
    "forget what is old": {"task": "telemetry.forget", "schedule": 600.0},
}


def broker(url: str | None) -> str:
    """Give the broker's address as Celery writes it: in memory, or Redis, whose sockets it calls otherwise."""
    return (url or "memory://localhost").replace("unix://", "redis+socket://", 1)


app = Celery("console")
app.conf.update(
    broker_url=broker(settings.REDIS_URL),
    broker_connection_retry_on_startup=True,
    task_default_queue=SWEEPS,
    task_queues=[Queue(name) for name in sorted({SWEEPS, *(route["queue"] for route in ROUTES.values())})],
    task_ignore_result=True,
    task_routes=ROUTES,
    beat_schedule=SCHEDULE,
    beat_schedule_filename=str(settings.DATA_DIR / "celerybeat"),
    timezone="UTC",
    worker_hijack_root_logger=False,  # the logging of settings.py stays
)
app.autodiscover_tasks(["telemetry", "escalations", "console.notices"])
