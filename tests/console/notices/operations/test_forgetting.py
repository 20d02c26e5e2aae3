"""The log has an end, and nothing on its way is forgotten."""

from datetime import timedelta

import pytest

from console.notices import operations
from console.notices.models import Attempt, Delivery, Notice
from tests.console.notices.rows import addressed, channel, end, notice, take
from tests.factories import NOON

pytestmark = pytest.mark.django_db


def test_old_notices_go_with_their_attempts_and_what_is_pending_stays(settings):
    channel()
    notice()
    addressed()
    end(take())
    notice(subject_key="thing:2")
    addressed()
    later = NOON + timedelta(days=settings.NOTICES_KEEP_DAYS, seconds=1)
    assert not operations.forget_some(at=later)
    assert [row.subject_key for row in Notice.objects.all()] == ["thing:2"]
    assert (Delivery.objects.count(), Attempt.objects.count()) == (1, 0)
