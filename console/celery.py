"""Tasks: where each one runs and how often, as two tables. Everything else about them is in the apps."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

from celery import Celery
from django.conf import settings

ROUTES: dict[str, dict[str, str]] = {
    "escalations.expire_overdue": {"queue": "sweeps"},
    "escalations.free_lapsed_claims": {"queue": "sweeps"},
    "escalations.notice_silence": {"queue": "sweeps"},
}
SCHEDULE: dict[str, dict[str, object]] = {
    "expire overdue cases": {"task": "escalations.expire_overdue", "schedule": 2.0},
    "free lapsed claims": {"task": "escalations.free_lapsed_claims", "schedule": 5.0},
    "notice silent agents": {"task": "escalations.notice_silence", "schedule": 5.0},
}

app = Celery("console")
app.conf.update(
    broker_url=settings.REDIS_URL or "memory://localhost",
    broker_connection_retry_on_startup=True,
    task_default_queue="sweeps",
    task_ignore_result=True,
    task_routes=ROUTES,
    beat_schedule=SCHEDULE,
    beat_schedule_filename=str(settings.DATA_DIR / "celerybeat"),
    timezone="UTC",
    worker_hijack_root_logger=False,  # the logging of settings.py stays
)
app.autodiscover_tasks(["telemetry", "escalations"])
