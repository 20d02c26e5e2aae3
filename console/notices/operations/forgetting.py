"""The log of notices has an end."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from console.notices.models import Attempt, Delivery, Notice
from console.notices.vocabulary import PENDING

MOST = 1_000


@transaction.atomic(durable=True)
def forget_some(*, at: datetime) -> bool:
    """Forget old notices that are on their way nowhere, with their deliveries and attempts; say whether there may be more."""
    before = at - timedelta(days=settings.NOTICES_KEEP_DAYS)
    pending = Delivery.objects.filter(state__in=sorted(PENDING)).values("notice_id")
    old = Notice.objects.filter(at__lt=before, fan_at__isnull=True).exclude(pk__in=pending).order_by("at")
    ids = list(old.values_list("pk", flat=True)[:MOST])
    messages = Delivery.objects.filter(notice_id__in=ids, message_id__isnull=False).values("message_id")
    Attempt.objects.filter(message_id__in=messages).delete()
    Notice.objects.filter(pk__in=ids).delete()
    return len(ids) == MOST
